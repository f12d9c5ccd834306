// Makes talent lists feel instant: the progress line under the filters for 800 ms after a change, the next page when
// the end of the list is near, and the filter bar that hides while scrolling down.

import htmx from "htmx.org";

const busyFor = 800; // ms, so that the change is noticed
const near = "100px"; // before the end of the list
const automatic = 4; // pages that load by themselves before the footer is reachable
const typing = 300; // ms after the last key press in the finder

interface RequestDetail {
  ctx: {
    sourceElement: Element;
    target?: Element;
    request: { body?: FormData | null };
  };
}

const detail = (event: Event) => (event as CustomEvent<RequestDetail>).detail;
const isFilter = (element: Element) => element.closest("#filters, #set, #empty") !== null;

export function list(): void {
  busy();
  endless();
  finder();
  makeWay();
  letterInSight();
}

/** The line runs for 800 ms even if the result arrives earlier; the result never waits for it. */
function busy(): void {
  const root = document.documentElement;
  const running = new Set<object>();
  let shown = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    const left = shown + busyFor - performance.now();
    clearTimeout(timer);
    if (left > 0) timer = setTimeout(end, left);
    else if (running.size === 0) root.removeAttribute("data-busy");
  };
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = detail(event);
    if (!isFilter(ctx.sourceElement)) return;
    running.add(ctx);
    document.querySelector("#board")?.setAttribute("aria-busy", "true");
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    shown = performance.now();
    root.dataset.busy = "list";
    end();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = detail(event);
    if (!running.delete(ctx)) return;
    if (running.size === 0) document.querySelector("#board")?.removeAttribute("aria-busy");
    end();
    // The focus was lost with a removed chip or button.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}

/**
 * A board loads its next page by itself a few times when its end is near. After a click on the link at its end, the
 * first new item gets the focus, also on the blog, because the link may be gone.
 */
function endless(): void {
  const shown = () => document.querySelectorAll("#board > *, #posts > *");
  let come = 0;
  let byItself = false;
  let first = 0; // the first of the items that the visitor loaded with the link
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      if (come >= automatic || document.querySelector("#board[aria-busy]")) return;
      come++;
      byItself = true;
      document.querySelector<HTMLElement>("#more a")?.click();
      byItself = false;
    },
    { rootMargin: `0px 0px ${near}` },
  );
  const watch = () => {
    observer.disconnect();
    const more = document.querySelector("#more a");
    if (more) observer.observe(more);
  };
  document.addEventListener("htmx:before:request", (event) => {
    if (byItself || !detail(event).ctx.sourceElement.closest("#more, #more-posts")) return;
    come = 0;
    first = shown().length;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!detail(event).ctx.target?.matches("#board, #posts")) come = 0;
    else if (first > 0) {
      shown()[first]?.querySelector<HTMLElement>("h2 a")?.focus({ preventScroll: true });
      first = 0;
    }
    watch();
  });
  watch();
}

/** The finder searches while typing, and its button closes it. Empty fields are left out of the address. */
function finder(): void {
  htmx.config.morphIgnore.push("open");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typed = false; // the address is already one of this search
  document.addEventListener("input", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("#finder form");
    if (!form) return;
    clearTimeout(timer);
    timer = setTimeout(() => form.isConnected && form.requestSubmit(), typing);
  });
  document.addEventListener(
    "submit",
    ({ submitter }) => {
      clearTimeout(timer);
      const panel = submitter?.closest("details");
      if (!panel) return; // it was sent by typing
      panel.open = false;
      document.querySelector<HTMLElement>("#count")?.focus();
    },
    true,
  );
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = detail(event);
    if (!ctx.sourceElement.matches("#finder form")) return;
    for (const [name, value] of [...(ctx.request.body?.entries() ?? [])])
      if (value === "") ctx.request.body?.delete(name);
  });
  // A search is one history entry, however many keys were typed.
  document.addEventListener("htmx:before:history:update", (event) => {
    const { sourceElement, history } = (
      event as CustomEvent<{ sourceElement: Element; history: { type: string } }>
    ).detail;
    const again = sourceElement.matches("#finder form") && document.activeElement?.matches("#find-name");
    if (again && typed) history.type = "replace";
    typed = Boolean(again);
  });
}

/** On small screens the bar hides while scrolling down and returns while scrolling up. */
function makeWay(): void {
  let last = scrollY;
  addEventListener(
    "scroll",
    () => {
      const bar = document.querySelector<HTMLElement>("#filters");
      const down = scrollY - last;
      if (!bar || Math.abs(down) < 8) return;
      last = scrollY;
      const stuck = bar.getBoundingClientRect().top <= 0;
      const used = bar.matches(":focus-within") || bar.querySelector("details[open]");
      document.documentElement.toggleAttribute("data-away", down > 0 && stuck && !used);
    },
    { passive: true },
  );
  document.addEventListener("focusin", (event) => {
    if ((event.target as Element).closest("#filters")) document.documentElement.removeAttribute("data-away");
  });
}

/** Scrolls the chosen letter into view in its strip. */
function letterInSight(): void {
  const look = () => {
    const letter = document.querySelector<HTMLElement>("#letters [aria-current]");
    const strip = letter?.closest("ul");
    if (!letter || !strip) return;
    const [at, within] = [letter.getBoundingClientRect(), strip.getBoundingClientRect()];
    if (at.left < within.left || at.right > within.right)
      strip.scrollLeft += at.left - within.left - (within.width - at.width) / 2;
  };
  document.addEventListener("htmx:after:swap", look);
  look();
}

// Makes talent lists feel instant: the progress line under the filters for 800 ms after a change, the next page when
// the end of the list is near, and the filter bar that hides while scrolling down.
import { htmx } from "./htmx";

const minBusy = 800; // ms, so that the change is noticed
const preloadMargin = "100px"; // before the end of the list
const maxAutomatic = 4; // pages that load by themselves before the footer is reachable

interface RequestDetail {
  ctx: {
    sourceElement: Element;
    target?: Element;
  };
}

const detail = (event: Event) => (event as CustomEvent<RequestDetail>).detail;
const isFilter = (element: Element) => element.closest("#filters, #set, #empty") !== null;

export function list(): void {
  showProgress();
  infiniteScroll();
  hideFilterBar();
  revealLetter();
}

/** The line runs for 800 ms even if the result arrives earlier; the result never waits for it. */
function showProgress(): void {
  const root = document.documentElement;
  const running = new Set<object>();
  let started = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    const remaining = started + minBusy - performance.now();
    clearTimeout(timer);
    if (remaining > 0) timer = setTimeout(update, remaining);
    else if (running.size === 0) root.removeAttribute("data-busy");
  };
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = detail(event);
    if (!isFilter(ctx.sourceElement)) return;
    running.add(ctx);
    document.querySelector("#board")?.setAttribute("aria-busy", "true");
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    started = performance.now();
    root.dataset.busy = "list";
    update();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = detail(event);
    if (!running.delete(ctx)) return;
    if (running.size === 0) document.querySelector("#board")?.removeAttribute("aria-busy");
    update();
    // The focus was lost with a removed chip or button.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}

/**
 * A board loads its next page by itself a few times when its end is near. After a click on the link at its end, the
 * first new item gets the focus, also on the blog, because the link may be gone.
 */
function infiniteScroll(): void {
  const items = () => document.querySelectorAll("#board > *, #posts > *");
  let loadedPages = 0;
  let isAutomatic = false;
  let first = 0; // index of the first item that the visitor loads with the link; 0 for none
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      if (loadedPages >= maxAutomatic || document.querySelector("#board[aria-busy]")) return;
      loadedPages++;
      void htmx().then(() => {
        isAutomatic = true;
        document.querySelector<HTMLElement>("#more a")?.click();
        isAutomatic = false;
      });
    },
    { rootMargin: `0px 0px ${preloadMargin}` },
  );
  const watch = () => {
    observer.disconnect();
    const more = document.querySelector("#more a");
    if (more) observer.observe(more);
  };
  document.addEventListener("htmx:before:request", (event) => {
    if (isAutomatic || !detail(event).ctx.sourceElement.closest("#more, #more-posts")) return;
    loadedPages = 0;
    first = items().length;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { target } = detail(event).ctx;
    if (target === document.body) loadedPages = 0;
    else if (first > 0 && target?.matches("#board, #posts")) {
      items()[first]?.querySelector<HTMLElement>("h2 a")?.focus({ preventScroll: true });
      first = 0;
    }
    watch();
  });
  watch();
}

/** On small screens the bar hides while scrolling down and returns while scrolling up. */
function hideFilterBar(): void {
  let last = 0; // not scrollY, which would force a layout before the first paint
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
function revealLetter(): void {
  const reveal = () => {
    const letter = document.querySelector<HTMLElement>("#letters [aria-current]");
    const strip = letter?.closest("ul");
    if (!letter || !strip) return;
    const [letterBox, stripBox] = [letter.getBoundingClientRect(), strip.getBoundingClientRect()];
    if (letterBox.left < stripBox.left || letterBox.right > stripBox.right)
      strip.scrollLeft += letterBox.left - stripBox.left - (stripBox.width - letterBox.width) / 2;
  };
  document.addEventListener("htmx:after:swap", reveal);
  reveal();
}

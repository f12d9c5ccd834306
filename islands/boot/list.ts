// Makes talent lists feel instant: the progress line under the filters for 800 ms after a change, the next page when
// the end of the list is near, and the filter bar that hides while scrolling down.
import { htmx } from "./htmx";

const minBusy = 800; // ms, so that the change is noticed
const askMargin = "1200px"; // before the end of the list: the next page is asked for
const insertMargin = "100px"; // before it: the page is put in, without anything in sight that would move
const maxAutomatic = 4; // pages that load by themselves before the footer is reachable

interface RequestDetail {
  ctx: {
    sourceElement: Element;
    target?: Element;
    fetch?: typeof fetch;
  };
}

const detail = (event: Event) => (event as CustomEvent<RequestDetail>).detail;
const isFilter = (element: Element) => element.closest("#filters, #set, #empty") !== null;

export function list(): void {
  showProgress();
  infiniteScroll();
  hideFilterBar();
  revealCurrent();
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
  let next: Promise<Response> | undefined; // what the link at the end leads to
  let isAutomatic = false;
  let first = 0; // index of the first item that the visitor loads with the link; 0 for none
  const near = (rootMargin: string, then: (more: HTMLElement) => void) =>
    new IntersectionObserver(
      (entries) => {
        const { isIntersecting, target } = entries.at(-1)!; // a quick scroll has two in one call
        if (!isIntersecting || loadedPages >= maxAutomatic) return;
        if (!document.querySelector("#board[aria-busy]")) then(target as HTMLElement);
      },
      { rootMargin: `0px 0px ${rootMargin}` },
    );
  const askFor = ({ dataset }: HTMLElement) => {
    next ??= fetch(dataset.hxGet!);
    next.catch(() => undefined); // told when the page is put in
  };
  const ask = near(askMargin, askFor);
  const insert = near(insertMargin, (more) => {
    loadedPages++;
    askFor(more); // the observers are called in any order
    void htmx().then(() => {
      isAutomatic = true;
      more.click();
      isAutomatic = false;
    });
  });
  let watched: HTMLElement | null = null;
  let address: string | undefined; // of the next page
  const watch = () => {
    const more = document.querySelector<HTMLElement>("#more a");
    if (more === watched && more?.dataset.hxGet === address) return; // another part of the page has changed
    [watched, address, next] = [more, more?.dataset.hxGet, undefined];
    for (const observer of [ask, insert]) {
      observer.disconnect();
      if (more) observer.observe(more);
    }
  };
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = detail(event);
    if (isAutomatic && next) {
      const asked = next;
      ctx.fetch = () => asked;
    }
    if (isAutomatic || !ctx.sourceElement.closest("#more, #more-posts")) return;
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

/** Scrolls the board's word and the chosen letter into view in their rows. */
function revealCurrent(): void {
  const reveal = () => {
    for (const current of document.querySelectorAll("#words [aria-current], #letters [aria-current]")) {
      const row = current.closest("ul")!;
      const [box, rowBox] = [current.getBoundingClientRect(), row.getBoundingClientRect()];
      if (box.left < rowBox.left || box.right > rowBox.right)
        row.scrollLeft += box.left - rowBox.left - (rowBox.width - box.width) / 2;
    }
  };
  document.addEventListener("htmx:after:swap", reveal);
  reveal();
}

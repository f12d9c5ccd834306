// Makes talent lists feel instant: the progress line under the filters for 800 ms after a change, the next page when
// the end of the list is near, and the filter bar that hides while scrolling down.
import { fetchEarly } from "./intent";

const minBusy = 800; // ms, so that the change is noticed
const askMargin = "1200px"; // before the end of the list: its next page is asked for

interface RequestDetail {
  ctx: { sourceElement: Element; sourceEvent?: Event; target?: Element };
}

const detail = (event: Event) => (event as CustomEvent<RequestDetail>).detail;
const isFilter = (element: Element) => element.closest("#filters, #set, #empty") !== null;

export function list(): void {
  showProgress();
  readAhead();
  focusNext();
  hideFilterBar();
  revealCurrent();
}

/** The line runs for 800 ms even if the result arrives earlier; the result never waits for it. */
function showProgress(): void {
  const root = document.documentElement;
  const running = new Map<object, number>(); // since when
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = detail(event);
    if (!isFilter(ctx.sourceElement)) return;
    running.set(ctx, performance.now());
    document.querySelector("#board")?.setAttribute("aria-busy", "true");
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) root.dataset.busy = "list";
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = detail(event);
    const since = running.get(ctx);
    if (since === undefined) return;
    const end = () => {
      running.delete(ctx);
      if (running.size === 0) root.removeAttribute("data-busy");
    };
    setTimeout(end, since + minBusy - performance.now());
    document.querySelector("#board")?.removeAttribute("aria-busy");
    // The focus was lost with a removed chip or button.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}

/**
 * A board puts its next page in by itself a few times when its end is near (views/list.templ): that page is asked for
 * before, and not put into a list that is about to change.
 */
function readAhead(): void {
  const ahead = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) fetchEarly((target as HTMLElement).dataset.hxGet);
    },
    { rootMargin: `0px 0px ${askMargin}` },
  );
  const watch = () => {
    ahead.disconnect();
    const more = document.querySelector("#more [data-hx-trigger]");
    if (more) ahead.observe(more);
  };
  document.addEventListener("htmx:before:request", (event) => {
    const isAutomatic = detail(event).ctx.sourceEvent?.type === "intersect";
    if (isAutomatic && document.querySelector("#board[aria-busy]")) event.preventDefault();
  });
  document.addEventListener("htmx:after:swap", watch);
  watch();
}

/** After a click on the link at a list's end, the first new item gets the focus, because the link may be gone. */
function focusNext(): void {
  const items = () => document.querySelectorAll("#board > *, #posts > *");
  let first = 0; // index of the first item that the visitor loads with the link; 0 for none
  document.addEventListener("htmx:before:request", (event) => {
    const { sourceElement, sourceEvent } = detail(event).ctx;
    if (sourceEvent?.type === "click" && sourceElement.closest("#more, #more-posts")) first = items().length;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (first === 0 || !detail(event).ctx.target?.matches("#board, #posts")) return;
    items()[first]?.querySelector<HTMLElement>("h2 a")?.focus({ preventScroll: true });
    first = 0;
  });
}

/** On small screens the bar hides while scrolling down and returns while scrolling up. */
function hideFilterBar(): void {
  let last = 0; // not scrollY, which would force a layout before the first paint
  const onScroll = () => {
    const bar = document.querySelector("#filters");
    const down = scrollY - last;
    if (!bar || Math.abs(down) < 8) return;
    last = scrollY;
    const isStuck = bar.getBoundingClientRect().top <= 0;
    document.documentElement.toggleAttribute("data-away", down > 0 && isStuck);
  };
  addEventListener("scroll", onScroll, { passive: true });
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

// After a boosted navigation the focus moves to the new page's heading, for keyboard and screen reader, and the page
// glides the last stretch to its top. In a form with errors the focus moves to their list.

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

/** Where the visitor left each page, by address. Not in history.state, which htmx writes anew. */
const places = new Map<string, number>();
const address = () => location.pathname + location.search;

const lastStretch = 240; // px

/**
 * scrollBeforePaint scrolls a new page before its first paint: near its top, to which htmx then scrolls, or to where
 * the visitor left it, which Chromium 156 does by itself only some frames later.
 */
function scrollBeforePaint(): void {
  let shown = address(); // the page in the document
  let left: number | undefined; // the place on the page to which a step in the history leads
  const remember = () => places.set(location.href, scrollY);
  addEventListener("scroll", remember, { passive: true });
  document.addEventListener("htmx:before:history:update", () => {
    remember();
    // The browser would scroll the page that is still shown, and go on when the new one is there.
    history.scrollRestoration = "manual";
  });
  document.addEventListener("htmx:after:history:update", () => {
    remember();
    shown = address();
  });
  addEventListener("pagehide", () => (history.scrollRestoration = "auto")); // for a reload
  addEventListener("popstate", () => {
    left = places.get(location.href);
    if (left !== undefined && shown === address()) scrollTo(0, left); // a step within the page
  });
  document.addEventListener("htmx:before:settle", (event) => {
    const { target, swapSpec } = (
      event as CustomEvent<{ task: { target: Element; swapSpec: { style: string; show?: string } } }>
    ).detail.task;
    if (target !== document.body || swapSpec.show === "none") return;
    shown = address();
    const top = swapSpec.style === "outerSync" ? left : Math.min(scrollY, lastStretch);
    if (top !== undefined) scrollTo({ top, behavior: "instant" });
  });
}

export function focusHeading(): void {
  scrollBeforePaint();
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = (event as CustomEvent<SwapDetail>).detail;
    const headers = ctx.request?.headers ?? {};
    if (ctx.target !== document.body || !headers["HX-Boosted"]) return;
    if (ctx.request?.anchor) {
      const linked = document.getElementById(ctx.request.anchor);
      linked?.scrollIntoView({ behavior: "instant" });
      const card = linked?.matches("a") ? linked : linked?.querySelector<HTMLElement>("h2 a");
      return card?.focus({ preventScroll: true });
    }
    if (ctx.swap.includes("show:none")) return; // an in-place change
    const autofocused = document.querySelector<HTMLElement>("main [autofocus]");
    if (autofocused) return autofocused.focus();
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}

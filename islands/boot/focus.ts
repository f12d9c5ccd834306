// After a boosted navigation the focus moves to the new page's heading, for keyboard and screen reader, and the page is
// scrolled to its top before it is painted and fades in. In a form with errors the focus moves to their list.

const quick = 160; // A view transition would delay the focus as long, and
// make a weak phone paint the old page once more.

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

/** Traversal is a history navigation, in the Navigation API. */
interface Traversal extends Event {
  navigationType: string;
  scroll(): void;
}

/** scrolls scrolls a new page before its first paint: to its top, or to where the visitor left it. */
function scrolls(): void {
  let step: Traversal | undefined;
  const { navigation } = window as unknown as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", (event) => (step = event as Traversal));
  document.addEventListener("htmx:before:settle", (event) => {
    const { target, swapSpec } = (
      event as CustomEvent<{ task: { target: Element; swapSpec: { style: string; show?: string } } }>
    ).detail.task;
    if (target !== document.body || swapSpec.show === "none") return;
    if (swapSpec.style !== "outerSync") return scrollTo({ top: 0, behavior: "instant" });
    if (step?.navigationType !== "traverse") return;
    const root = document.documentElement;
    root.style.scrollBehavior = "auto"; // the browser would scroll smoothly, as within a page
    void root.offsetHeight; // and reads the style only now
    step.scroll();
    requestAnimationFrame(() => (root.style.scrollBehavior = ""));
  });
}

export function focusHeading(): void {
  scrolls();
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = (event as CustomEvent<SwapDetail>).detail;
    const headers = ctx.request?.headers ?? {};
    if (ctx.target !== document.body || !headers["HX-Boosted"]) return;
    if (ctx.request?.anchor) {
      const place = document.getElementById(ctx.request.anchor);
      place?.scrollIntoView({ behavior: "instant" });
      const card = place?.matches("a") ? place : place?.querySelector<HTMLElement>("h2 a");
      return card?.focus({ preventScroll: true });
    }
    if (ctx.swap.includes("show:none")) return; // an in-place change
    const first = document.querySelector<HTMLElement>("main [autofocus]");
    if (first) return first.focus();
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      document.querySelector("main")?.animate({ opacity: [0, 1] }, quick);
  });
}

// After a boosted navigation the new page begins at its heading for keyboard and screen reader, fades in, and stands at
// its top before it is painted. A form that comes back begins at what it has to say.

const quick = 160; // A view transition would hold the focus back as long, and
// have a weak phone paint the old page once more.

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

/** Traversal is a step in the history, by the Navigation API. */
interface Traversal extends Event {
  navigationType: string;
  scroll(): void;
}

/** scrolls has a new page stand where it belongs before its first paint: at its top, or where one left it. */
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
    root.style.scrollBehavior = "auto"; // the browser would glide there, as it does within a page
    void root.offsetHeight; // and asks for the style only now
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
    if (ctx.swap.includes("show:none")) return; // a change in place
    const first = document.querySelector<HTMLElement>("main [autofocus]");
    if (first) return first.focus();
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      document.querySelector("main")?.animate({ opacity: [0, 1] }, quick);
  });
}

// After a boosted navigation the focus moves to the new page's heading, for keyboard and screen reader, and the page is
// scrolled to its top before it is painted and fades in. In a form with errors the focus moves to their list.

// ms. A view transition would delay the focus by as much, and make a slow phone paint the old page once more.
const fadeDuration = 160;

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

/** NavigateEvent is the used part of the Navigation API's event. */
interface NavigateEvent extends Event {
  navigationType: string;
  scroll(): void;
}

/** scrollBeforePaint scrolls a new page before its first paint: to its top, or to where the visitor left it. */
function scrollBeforePaint(): void {
  let lastNavigation: NavigateEvent | undefined;
  const { navigation } = window as unknown as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", (event) => (lastNavigation = event as NavigateEvent));
  document.addEventListener("htmx:before:settle", (event) => {
    const { target, swapSpec } = (
      event as CustomEvent<{ task: { target: Element; swapSpec: { style: string; show?: string } } }>
    ).detail.task;
    if (target !== document.body || swapSpec.show === "none") return;
    if (swapSpec.style !== "outerSync") return scrollTo({ top: 0, behavior: "instant" });
    if (lastNavigation?.navigationType !== "traverse") return;
    const root = document.documentElement;
    root.style.scrollBehavior = "auto"; // not the page's smooth scrolling
    void root.offsetHeight; // applies the style now
    lastNavigation.scroll();
    requestAnimationFrame(() => (root.style.scrollBehavior = ""));
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
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      document.querySelector("main")?.animate({ opacity: [0, 1] }, fadeDuration);
  });
}

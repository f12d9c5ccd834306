// After a boosted navigation the page glides the last stretch to its top, as a page does that is already there, and the
// focus moves to its heading, for keyboard and screen reader. In a form with errors the focus moves to their list.

const lastStretch = 240; // px

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

interface SettleDetail {
  task: { target: Element; swapSpec: { style: string; show?: string } };
}

/** onNewPage calls back before the first paint of another page. */
function onNewPage(callback: (swap: SettleDetail["task"]["swapSpec"]) => void): void {
  document.addEventListener("htmx:before:settle", (event) => {
    const { target, swapSpec } = (event as CustomEvent<SettleDetail>).detail.task;
    if (target === document.body) callback(swapSpec);
  });
}

/** In Firefox htmx 4.0.1 listens to popstate: the browser would scroll the page that is still shown. */
function restorePlaces(): void {
  const places = new Map<string, number>();
  let left = 0;
  addEventListener("scroll", () => places.set(location.href, scrollY), { passive: true });
  addEventListener("popstate", () => (left = places.get(location.href) ?? 0));
  onNewPage(({ style }) => style === "outerSync" && scrollTo({ top: left, behavior: "instant" }));
}

export function focusHeading(): void {
  if (/firefox/i.test(navigator.userAgent)) restorePlaces();
  onNewPage(({ show }) => {
    if (show === "top") scrollTo({ top: Math.min(scrollY, lastStretch), behavior: "instant" }); // htmx goes on
  });
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

// After a boosted navigation the new page begins at its heading for keyboard and screen reader,
// and the window glides to the top, as the specification wants of navigation. A form that comes back
// begins at what it has to say.

interface SwapDetail {
  ctx: { target: Element; swap: string; request?: { headers?: Record<string, string>; anchor?: string } };
}

export function focusHeading(): void {
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = (event as CustomEvent<SwapDetail>).detail;
    const headers = ctx.request?.headers ?? {};
    if (ctx.target !== document.body || !headers["HX-Boosted"] || ctx.request?.anchor) return;
    if (ctx.swap.includes("show:none")) return; // a change in place
    const first = document.querySelector<HTMLElement>("main [autofocus]");
    if (first) return first.focus();
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
  });
}

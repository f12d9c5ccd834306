// After a boosted navigation the new page begins at its heading for keyboard and screen reader,
// fades in, and the window glides to the top. A form that
// comes back begins at what it has to say.

const quick = 160; // A view transition would hold the focus back as long, and
// have a weak phone paint the old page once more.

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
    if (!still) document.querySelector("main")?.animate({ opacity: [0, 1] }, quick);
    scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
  });
}

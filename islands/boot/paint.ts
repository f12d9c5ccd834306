// A press is shown before the work that follows it, for which a slow phone takes a tenth of a second.

const latest = 100; // ms: a page out of sight is not painted

export function afterPaint(work: () => void): void {
  const late = setTimeout(() => {
    cancelAnimationFrame(frame);
    work();
  }, latest);
  const frame = requestAnimationFrame(() => {
    clearTimeout(late);
    setTimeout(work);
  });
}

/** paint gives the press of a link again once it is shown. Not in an island: only that knows a swipe from a press. */
export function paint(): void {
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLElement>("a[href]");
      if (!link || link.closest("zed-island") || !event.isTrusted) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      afterPaint(() => link.click());
    },
    true,
  );
}

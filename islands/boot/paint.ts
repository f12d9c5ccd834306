// Paints the pressed state before the work that follows, which takes a tenth of a second on a slow phone.

const maxDelay = 100; // ms: a hidden page is not painted

export function afterPaint(work: () => void): void {
  const fallback = setTimeout(() => {
    cancelAnimationFrame(frame);
    work();
  }, maxDelay);
  const frame = requestAnimationFrame(() => {
    clearTimeout(fallback);
    setTimeout(work);
  });
}

/** firstPaint resolves after the first paint of the document. */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (!PerformanceObserver.supportedEntryTypes.includes("paint")) return afterPaint(resolve);
    const observer = new PerformanceObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: "paint", buffered: true });
  });
}

/** paint repeats the click of a link once its pressed state is painted; not in islands, which handle it themselves. */
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

/** afterPaint leaves the screen free to show a press, before work for which a slow phone takes a tenth of a second. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}

/** firstPaint resolves after the next frame, which is the document's first one for a script of its head. */
export const firstPaint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

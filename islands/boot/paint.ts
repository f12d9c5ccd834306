/** painted resolves after the frame that follows this script, which is the document's first one. */
export const painted = new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

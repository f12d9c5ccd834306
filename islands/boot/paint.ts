const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** painted resolves after the frame that follows this script, which is the document's first one. */
export const painted = frame();

const decoded = () =>
  Promise.allSettled(
    [...document.images].filter(({ loading }) => loading !== "lazy").map((img) => img.decode()),
  );

/** firstPictures resolves once the first pictures are painted, too, if there are any. */
export const firstPictures = new Promise<unknown>((resolve) => {
  if (document.readyState === "complete") resolve(undefined);
  else addEventListener("load", resolve);
})
  .then(decoded)
  .then(frame)
  .then(frame); // a picture of the last frame may not be on the screen yet

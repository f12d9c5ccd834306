const shownFor = 8000; // ms
const hiding = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** toast shows a sentence that stands hidden in the page, and takes it away again. */
export function toast(words: HTMLElement): void {
  words.hidden = false;
  clearTimeout(hiding.get(words)); // what it said before may still be there
  hiding.set(
    words,
    setTimeout(() => (words.hidden = true), shownFor),
  );
}

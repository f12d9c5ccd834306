const shownFor = 8000; // ms
const hiding = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** toast shows a hidden message of the page for a while. */
export function toast(words: HTMLElement): void {
  words.hidden = false;
  clearTimeout(hiding.get(words)); // an earlier message may still be shown
  hiding.set(
    words,
    setTimeout(() => (words.hidden = true), shownFor),
  );
}

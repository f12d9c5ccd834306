const shownFor = 8000; // ms

/** toast shows a sentence that stands hidden in the page, and takes it away again. */
export function toast(words: HTMLElement): void {
  words.hidden = false;
  setTimeout(() => (words.hidden = true), shownFor);
}

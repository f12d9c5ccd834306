const shownFor = 8000; // ms
const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** toast shows a hidden message of the page for a while. */
export function toast(message: HTMLElement): void {
  message.hidden = false;
  clearTimeout(timers.get(message)); // an earlier message may still be shown
  timers.set(
    message,
    setTimeout(() => (message.hidden = true), shownFor),
  );
}

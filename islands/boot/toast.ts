/** toast shows a message of the page for a while, which is an animation of its style; an earlier one ends. */
export function toast(message: HTMLElement): void {
  message.hidden = true;
  message.getBoundingClientRect(); // its style begins anew
  message.hidden = false;
}

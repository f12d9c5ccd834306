// What comes with the first interest in a card.
import { scrub } from "./scrub";
import { transition } from "./transition";

export function begin(interest: Event): void {
  transition();
  scrub(interest);
}

// What comes with the first interest in a card.
import { start, scrub } from "./scrub";
import { transition } from "./transition";

transition();
scrub();

export { start };

// The scripts that are loaded at the first interaction with a card.
import { start, scrub } from "./scrub";
import { transition } from "./transition";

transition();
scrub();

export { start };

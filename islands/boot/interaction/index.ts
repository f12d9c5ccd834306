// The scripts that are loaded at the first interaction with a link, a card or the finder.
import { finder } from "./finder";
import { scrub, startScrub } from "./scrub";
import { transition } from "./transition";

finder();
transition();
scrub();

/** start takes the event before which these scripts were not loaded. */
export const start = startScrub;

// The scripts that are loaded at the first interaction with a link, a card or the finder.
import { finder } from "./finder";
import { loading, startLoading } from "./loading";
import { scrub, startScrub } from "./scrub";
import { transition } from "./transition";

finder();
loading();
transition();
scrub();

/** start takes an event of the page: the first ones came before these scripts were loaded. */
export function start(event: Event): void {
  startScrub(event);
  if (event.type === "click") startLoading(event as MouseEvent);
}

// The scripts that are loaded at the first interaction with a link or a card.
import { intent } from "./intent";
import { scrub, start } from "./scrub";
import { standIns } from "./standin";
import { transition } from "./transition";

intent(); // before the transition, which wraps what it gives htmx
transition();
standIns();
scrub();

export { start };

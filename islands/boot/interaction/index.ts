// The scripts that are loaded at the first interaction with a link, a card or the finder.
import { finder } from "./finder";
import { living } from "./living";
import { loading } from "./loading";
import { scrub, start } from "./scrub";
import { standIns } from "./standin";
import { transition } from "./transition";

finder();
loading();
transition();
standIns();
scrub();
living();

export { start };

// The site in Firefox.
import { checkEngine } from "./engines/checks";
import { startFirefox } from "./engines/firefox";

checkEngine("/usr/bin/firefox-esr", startFirefox);

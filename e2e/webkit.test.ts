// The site in WebKit, Safari's engine.
import { checkEngine } from "./engines/checks";
import { startWebKit } from "./engines/webkit";

checkEngine("/usr/bin/WebKitWebDriver", startWebKit);

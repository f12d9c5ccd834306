// What every page runs: htmx for navigation, and the small behaviours that the server's markup
// can't have by itself. Everything here makes a working page quicker; nothing is needed for it.
import "htmx.org";
import { back } from "./boot/back";
import { connection } from "./boot/connection";
import { focusHeading } from "./boot/focus";
import { head } from "./boot/head";
import { islands } from "./boot/island";
import { list } from "./boot/list";
import { loading } from "./boot/loading";
import { menu } from "./boot/menu";
import { paint } from "./boot/paint";
import { pictures } from "./boot/pictures";
import { progress } from "./boot/progress";
import { shortlist } from "./boot/shortlist";
import { view } from "./boot/view";

paint();
back();
connection();
focusHeading();
head();
islands();
list();
loading();
menu();
pictures();
progress();
shortlist();
view();

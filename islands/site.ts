// The script of every page: htmx for navigation, and small behaviours that need a script. Every page works without it.
import "htmx.org";
import { back } from "./boot/back";
import { connection } from "./boot/connection";
import { focusHeading } from "./boot/focus";
import { head } from "./boot/head";
import { intent } from "./boot/intent";
import { islands } from "./boot/island";
import { list } from "./boot/list";
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
intent();
islands();
list();
menu();
pictures();
progress();
shortlist();
view();

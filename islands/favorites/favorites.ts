// The hearts, their count in the header and the visitor's own shortlist, in step with what the
// browser keeps, in this tab and in others. Without this script the hearts are buttons of a form.
import htmx from "htmx.org";
import { clear, has, ids, onChange, remove, save } from "./store";

export function favorites(): void {
  takeOver();
  show();
  onChange(show);
  addEventListener("pageshow", show); // also back from the browser's own cache
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("click", click, true);
  document.addEventListener("click", tool, true);
}

/** takeOver moves what a session without JavaScript has saved into the browser, and ends it. */
function takeOver(): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-session]");
  if (!link) return;
  save(link.dataset.session?.split(",") ?? []);
  link.removeAttribute("data-session");
  const body = new URLSearchParams({ clear: "session" });
  void fetch(link.href, { method: "POST", body, redirect: "manual" }).catch(() => undefined); // the next page tries again
}

/** show brings hearts, count and the own shortlist to what is kept now. */
function show(): void {
  const all = ids();
  for (const count of document.querySelectorAll("[data-island=favorites] [data-count]"))
    count.textContent = all.length > 0 ? String(all.length) : "";
  for (const heart of document.querySelectorAll<HTMLButtonElement>("[aria-pressed][form=hearts]"))
    heart.setAttribute("aria-pressed", String(has(heart.value)));
  if (document.querySelector("#shortlist")) tools().catch(() => undefined); // a press asks for it again
  const list = document.querySelector<HTMLElement>("#shortlist:not([data-shared])");
  if (list) void showOwn(list, all);
}

let asked: string | undefined; // the ids that are on their way

/** showOwn asks the server to draw the favourites that only this browser knows. */
async function showOwn(list: HTMLElement, all: string[]): Promise<void> {
  const wanted = all.join(",");
  const shown = list.dataset.asked ?? list.dataset.shortlist ?? "";
  if (shown === wanted || asked === wanted) return;
  asked = wanted;
  const focused = document.activeElement?.closest("li");
  const at = focused ? [...(focused.parentElement?.children ?? [])].indexOf(focused) : -1;
  await htmx.ajax("GET", list.dataset.own + wanted, {
    target: "#shortlist",
    select: "#shortlist",
    swap: "outerMorph",
  });
  asked = undefined;
  // Those that are on no board now are kept, but have no card.
  document.querySelector("#shortlist")?.setAttribute("data-asked", wanted);
  if (at >= 0 && document.activeElement === document.body) {
    const hearts = document.querySelectorAll<HTMLElement>("#shortlist [aria-pressed]");
    (hearts[Math.min(at, hearts.length - 1)] ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }
}

const tools = () => import("./tools");

/** tool hands a press on one of the page's tools to its own script, and is the link where that is gone. */
function tool(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>(
    "#shortlist :is([data-share], [data-download])",
  );
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  tools().then(
    ({ use }) => use(link),
    () => location.assign(link.href),
  );
}

function click(event: Event): void {
  const button = (event.target as Element).closest<HTMLButtonElement>("button[form=hearts]");
  if (!button) return;
  event.preventDefault();
  if (button.name === "clear") clear();
  else if (button.name === "keep") {
    save(button.value.split(","));
    location.assign(button.form?.action ?? "");
    return;
  } else if (has(button.value)) remove(button.value);
  else save([button.value]);
  show();
}

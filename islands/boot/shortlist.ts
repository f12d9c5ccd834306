// The favourites page: only this browser knows the favourites, so the page is loaded again with their ids.
import htmx from "htmx.org";
import { ids, subscribe } from "../favorites/store";

let asked: string | undefined; // the ids being loaded

export function shortlist(): void {
  show();
  subscribe(show);
  document.addEventListener("htmx:after:swap", show);
}

function show(): void {
  const list = document.querySelector<HTMLElement>("#shortlist:not([data-shared])");
  if (list) void draw(list, ids().join(","));
}

async function draw(list: HTMLElement, wanted: string): Promise<void> {
  const shown = list.dataset.asked ?? list.dataset.shortlist ?? "";
  if (shown === wanted || asked === wanted) return;
  asked = wanted;
  const focused = document.activeElement?.closest("li");
  const at = focused ? [...(focused.parentElement?.children ?? [])].indexOf(focused) : -1;
  await htmx.ajax("GET", `${list.dataset.own}${wanted}&before=${shown}`, {
    target: "#shortlist",
    select: "#shortlist",
    swap: "outerMorph",
  });
  asked = undefined;
  // Talents who are on no board any more stay saved, but have no card.
  document.querySelector("#shortlist")?.setAttribute("data-asked", wanted);
  if (at >= 0 && document.activeElement === document.body) {
    const hearts = document.querySelectorAll<HTMLElement>("#shortlist [aria-pressed]");
    (hearts[Math.min(at, hearts.length - 1)] ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }
}

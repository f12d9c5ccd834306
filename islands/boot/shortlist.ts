// The favourites page: only this browser knows the favourites, so the page is loaded again with their ids. Its buttons
// change the browser's list; without this script they are buttons of a form, and change the session's.
import { ids, put, save, subscribe } from "../favorites/store";
import { htmx } from "./htmx";

let requested: string | undefined; // the ids being loaded

export function shortlist(): void {
  show();
  subscribe(show);
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const button = event.submitter as HTMLButtonElement | null;
    const change = form.id === "hearts" && button && changes[button.name];
    if (!change) return;
    event.preventDefault();
    change(button.value.split(",").filter(Boolean));
    if (button.name === "keep") location.assign(form.action);
  });
}

const changes: Record<string, (of: string[]) => void> = {
  keep: save,
  clear: () => put([]),
  restore: (before) => put([...new Set([...before, ...ids()])]), // another tab may have saved more
};

function show(): void {
  const list = document.querySelector<HTMLElement>("#shortlist:not([data-shared])");
  if (list) void update(list, ids().join(","));
}

async function update(list: HTMLElement, saved: string): Promise<void> {
  const shown = list.dataset.asked ?? list.dataset.shortlist!;
  if (shown === saved || requested === saved) return;
  requested = saved;
  const focused = document.activeElement?.closest("li");
  const index = focused ? [...(focused.parentElement?.children ?? [])].indexOf(focused) : -1;
  const query = `${encodeURIComponent(saved)}&before=${encodeURIComponent(shown)}`;
  const loaded = await htmx();
  await loaded.ajax("GET", list.dataset.own + query, {
    target: "#shortlist",
    select: "#shortlist",
    swap: "outerMorph",
  });
  requested = undefined;
  // Talents who are on no board any more stay saved, but have no card.
  document.querySelector("#shortlist")?.setAttribute("data-asked", saved);
  if (index >= 0 && document.activeElement === document.body) {
    const hearts = document.querySelectorAll<HTMLElement>("#shortlist [aria-pressed]");
    (hearts[Math.min(index, hearts.length - 1)] ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }
}

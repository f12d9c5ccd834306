// The shortlist, which only this browser knows. Hearts and numbers are set here; the favourites page, and the bar at
// the foot of other pages, are loaded with its ids. Their buttons change the browser's list; without this script, and
// until it is here, they are buttons of a form and change the session's, which the browser takes over.
import { ids, put, remove, save, subscribe } from "../favorites/store";
import { htmx } from "./htmx";
import { painted } from "./paint";

export function shortlist(): void {
  onPage();
  subscribe(show);
  document.addEventListener("htmx:after:swap", onPage);
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

/** toggle is the press of a heart, whatever the session held when the server drew it. */
const toggle = ([id]: string[]) => (ids().includes(id!) ? remove(id!) : save([id!]));

const changes: Record<string, (of: string[]) => void> = {
  save: toggle,
  remove: toggle,
  keep: save,
  clear: () => put([]),
  restore: (before) => put([...new Set([...before, ...ids()])]), // another tab may have saved more
};

function onPage(): void {
  const session = document.querySelector<HTMLElement>("[data-session]");
  if (session) takeOver(session);
  show();
}

/** takeOver moves the favourites of a session to the browser. If that can't end the session, the next page tries. */
function takeOver(session: HTMLElement): void {
  save(session.dataset.session!.split(","));
  delete session.dataset.session;
  const { href } = session.closest("a")!; // the favourites
  const body = new URLSearchParams({ clear: "session" });
  void fetch(href, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
}

/** show sets what the page shows of the shortlist, and loads what draws it, if the page shows another. */
function show(): void {
  const saved = ids();
  for (const heart of document.querySelectorAll<HTMLButtonElement>("[form=hearts][aria-pressed]"))
    heart.setAttribute("aria-pressed", String(saved.includes(heart.value)));
  const count = document.querySelector("header [data-count]");
  if (count) count.textContent = saved.length > 0 ? String(saved.length) : "";
  const marked = document.querySelector<HTMLElement>("[data-marked]");
  const frames = [...document.querySelectorAll("#board [aria-pressed=true]")];
  if (marked) marked.textContent = marked.dataset.marked!.replace("{n}", String(frames.length));
  const isOther = ({ dataset }: HTMLElement) => dataset.shown !== saved.join(",");
  // If it fails, the next heart or page tries again.
  if ([...document.querySelectorAll<HTMLElement>("[data-own]")].some(isOther)) void draw().catch(() => {});
}

async function draw(): Promise<void> {
  await painted;
  (await import("./interaction/shortlist")).show(htmx, ids);
}

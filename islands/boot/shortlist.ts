// The shortlist as the server draws it: the favourites page, and the bar at the foot of other pages. Only this browser
// knows the favourites, so both are loaded with their ids. Their buttons change the browser's list; without this script
// they are buttons of a form, and change the session's.
import { ids, put, save, subscribe } from "../favorites/store";
import { htmx } from "./htmx";
import { firstPaint } from "./paint";

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

/** show loads what draws the shortlist, if the page shows another. If it fails, the next heart or page tries again. */
function show(): void {
  const saved = ids().join(",");
  const isOther = ({ dataset }: HTMLElement) => dataset.shown !== saved;
  if ([...document.querySelectorAll<HTMLElement>("[data-own]")].some(isOther)) void draw().catch(() => {});
}

async function draw(): Promise<void> {
  await firstPaint();
  (await import("./interaction/shortlist")).show(htmx, ids);
}

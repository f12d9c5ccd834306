// The shortlist as the server draws it: the favourites page, and the bar at the foot of other pages. Only this browser
// knows the favourites, so both are loaded with their ids. Their buttons change the browser's list; without this script
// they are buttons of a form, and change the session's.
import { ids, put, save, subscribe } from "../favorites/store";
import { htmx } from "./htmx";
import { firstPaint } from "./paint";

const hiddenKey = "dock-hidden"; // in the session storage: how many favourites there were when the bar was hidden
const slideIn = { duration: 320, easing: "ease-out" };
const requested = new WeakMap<Element, string>(); // the ids being loaded

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
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("[data-hide]")) hide();
  });
  document.addEventListener("animationend", ({ animationName, target }) => {
    if (animationName === "wait") (target as Element).parentElement!.remove();
  });
}

const changes: Record<string, (of: string[]) => void> = {
  keep: save,
  clear: () => put([]),
  restore: (before) => put([...new Set([...before, ...ids()])]), // another tab may have saved more
};

function show(): void {
  const saved = ids().join(",");
  for (const part of document.querySelectorAll<HTMLElement>("[data-own]"))
    if (part.dataset.shown !== saved && requested.get(part) !== saved && !isHidden(part))
      void load(part, saved);
}

/** load shows the favourites. If it fails, it is tried again with the next heart or page. */
async function load(part: HTMLElement, saved: string): Promise<void> {
  requested.set(part, saved);
  await firstPaint();
  const loaded = await htmx();
  const { own, shown: before } = part.dataset;
  const wasEmpty = !part.firstElementChild;
  const focused = part.contains(document.activeElement) && document.activeElement;
  const item = focused && focused.closest("li");
  const index = item ? [...item.parentElement!.children].indexOf(item) : 0;
  const query = new URLSearchParams({ own: "1", ids: saved, before: before! });
  await loaded.ajax("GET", `${own}?${query}`, {
    source: part,
    target: part,
    select: "#" + part.id,
    swap: "outerMorph",
  });
  if (requested.get(part) === saved) requested.delete(part);
  for (const wait of part.getAnimations({ subtree: true })) wait.currentTime = 0; // for another removal
  if (wasEmpty && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    part.animate({ transform: ["translateY(100%)", "none"] }, slideIn);
  if (!focused || document.activeElement !== document.body) return;
  const hearts = part.querySelectorAll<HTMLElement>("[aria-pressed]");
  const left = hearts[Math.min(index, hearts.length - 1)] ?? part.querySelector<HTMLElement>("#bar a");
  (left ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

/** hide hides the bar until the next heart. */
function hide(): void {
  document.querySelector("#bar")!.replaceChildren();
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  try {
    sessionStorage[hiddenKey] = ids().length;
  } catch {
    return; // no storage: hidden until the next document
  }
}

function isHidden(part: HTMLElement): boolean {
  if (part.id !== "bar") return false;
  try {
    const { length } = ids();
    const hidden = length <= Number(sessionStorage[hiddenKey] ?? -1);
    sessionStorage[hiddenKey] = hidden ? length : -1;
    return hidden;
  } catch {
    return false;
  }
}

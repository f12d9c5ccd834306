// What draws the shortlist of this browser: it loads with the first favourite.
import type { ids as favorites } from "../../favorites/store";
import type { htmx } from "../htmx";

const hiddenKey = "dock-hidden"; // in the session storage: the shortlist whose bar was hidden
const slideIn = { duration: 320, easing: "ease-out" };
let ids: typeof favorites; // given, so that no page loads them from a file of their own

document.addEventListener("click", ({ target }) => {
  if ((target as Element).closest("[data-hide]")) hide();
});
document.addEventListener("animationend", ({ animationName, target }) => {
  if (animationName === "wait") (target as Element).parentElement!.remove();
});

/** show loads each part of the page that shows another shortlist than this browser has. */
export function show(library: typeof htmx, saves: typeof favorites): void {
  ids = saves;
  const saved = ids().join(",");
  for (const part of document.querySelectorAll<HTMLElement>("[data-own]"))
    if (part.dataset.shown !== saved && !(part.id === "bar" && isHidden(saved)))
      void load(part, saved, library);
}

/** load shows the favourites. If it fails, it is tried again with the next heart or page. */
async function load(part: HTMLElement, saved: string, library: typeof htmx): Promise<void> {
  const { own, shown: before } = part.dataset;
  part.dataset.shown = saved;
  const loaded = await library();
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
  for (const wait of part.getAnimations({ subtree: true })) wait.currentTime = 0; // for another removal
  if (wasEmpty && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    part.animate({ transform: ["translateY(100%)", "none"] }, slideIn);
  if (!focused || document.activeElement !== document.body) return;
  const hearts = part.querySelectorAll<HTMLElement>("[aria-pressed]");
  const left = hearts[Math.min(index, hearts.length - 1)] ?? part.querySelector<HTMLElement>("#bar a");
  (left ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

/** hide hides the bar until the shortlist changes; without storage, until the next document. */
function hide(): void {
  document.querySelector("#bar")!.replaceChildren();
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  try {
    sessionStorage[hiddenKey] = ids().join(",");
  } catch {
    return; // no storage
  }
}

function isHidden(saved: string): boolean {
  try {
    if (sessionStorage[hiddenKey] === saved) return true;
    sessionStorage.removeItem(hiddenKey);
  } catch {
    return false; // no storage
  }
  return false;
}

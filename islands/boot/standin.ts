// The first picture of a profile is never blank: until it is decoded, the picture of the talent that the page before
// showed stands in its place.

/** Addresses of pictures that the browser has, by talent. */
const seen = new Map<string, string>();
let before: string | undefined; // whose profile was shown

const shown = () => document.querySelector<HTMLElement>("main > article[data-talent]");

function remember(): void {
  before = shown()?.dataset.talent;
  for (const card of document.querySelectorAll<HTMLElement>("main [data-talent]")) {
    const picture = card.querySelector("img");
    if (picture?.complete && picture.naturalWidth) seen.set(card.dataset.talent!, picture.currentSrc);
  }
}

function standIn(): void {
  const profile = shown();
  const talent = profile?.dataset.talent ?? "";
  const picture = profile?.querySelector("img");
  const other = seen.get(talent);
  if (!picture || !other || talent === before) return; // another tab shows other pictures
  picture.style.background = `url("${other}") 50% 20% / cover`;
  const restore = () => picture.style.removeProperty("background");
  void picture.decode().then(restore, restore);
}

export function standIns(): void {
  document.addEventListener("htmx:before:swap", remember);
  document.addEventListener("htmx:after:swap", standIn);
}

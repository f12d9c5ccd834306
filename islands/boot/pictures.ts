// A picture that fails to load is replaced by the default one. The site's own addresses already do that; this is for a
// lost connection and for an image server (MEDIA_URL). Before the page is printed, all its pictures are loaded: Safari
// leaves out lazy ones that were never visible. The first picture of a profile is never blank: until it is decoded, the
// picture of the talent that the page before showed stands in its place.

const defaultPicture = "/media/missing/u.png";

export function pictures(): void {
  document.addEventListener(
    "error",
    ({ target }) => target instanceof HTMLImageElement && replace(target),
    true,
  );
  addEventListener("beforeprint", () => {
    for (const img of document.images) img.loading = "eager";
  });
  document.addEventListener("htmx:before:request", remember);
  document.addEventListener("htmx:after:swap", standIn);
  for (const img of document.images) if (img.complete && img.currentSrc && !img.naturalWidth) replace(img);
}

/** Addresses of pictures that the browser has, by talent. */
const seen = new Map<string, string>();

function remember(): void {
  for (const card of document.querySelectorAll<HTMLElement>("main [data-talent]")) {
    const picture = card.querySelector("img");
    if (picture?.complete && picture.naturalWidth) seen.set(card.dataset.talent!, picture.currentSrc);
  }
}

function standIn(): void {
  const profile = document.querySelector<HTMLElement>("main > article[data-talent]");
  const picture = profile?.querySelector("img");
  const other = seen.get(profile?.dataset.talent ?? "");
  if (!picture || picture.complete || !other) return;
  picture.style.background = `url("${other}") 50% 20% / cover`;
  const restore = () => picture.style.removeProperty("background");
  void picture.decode().then(restore, restore);
}

function replace(img: HTMLImageElement): void {
  if (img.dataset.broken !== undefined) return;
  img.dataset.broken = "";
  for (const source of img.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  img.removeAttribute("srcset");
  img.src = defaultPicture;
}

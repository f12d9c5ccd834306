// A picture that does not come shows the default one. The site's own addresses already answer so; this is
// for a lost connection and for an image server in front (MEDIA_URL).

const missing = "/media/missing/u.png";

export function pictures(): void {
  document.addEventListener(
    "error",
    ({ target }) => target instanceof HTMLImageElement && replace(target),
    true,
  );
  for (const img of document.images) if (img.complete && img.currentSrc && !img.naturalWidth) replace(img);
}

function replace(img: HTMLImageElement): void {
  if (img.dataset.broken !== undefined) return;
  img.dataset.broken = "";
  for (const source of img.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  img.removeAttribute("srcset");
  img.removeAttribute("sizes");
  img.src = missing;
}

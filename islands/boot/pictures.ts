// A picture that does not come shows the default one. The site's own addresses already answer so; this is
// for a lost connection and for an image server in front (MEDIA_URL). Before the page is printed, all its pictures
// are fetched: Safari leaves out those that nobody has scrolled to.

const missing = "/media/missing/u.png";

export function pictures(): void {
  document.addEventListener(
    "error",
    ({ target }) => target instanceof HTMLImageElement && replace(target),
    true,
  );
  addEventListener("beforeprint", () => {
    for (const img of document.images) img.loading = "eager";
  });
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

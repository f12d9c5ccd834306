// A picture that fails to load is replaced by the default one. The site's own addresses already do that; this is for a
// lost connection. Before the page is printed, all its pictures are loaded: Safari leaves out lazy ones that were never
// visible.

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
  for (const source of img.closest("picture")?.querySelectorAll("source") ?? [])
    source.removeAttribute("srcset");
  img.removeAttribute("srcset");
  img.src = document.querySelector<HTMLMetaElement>("[name=missing-picture]")!.content;
}

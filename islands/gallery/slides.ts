/** Slide is a picture of the lightbox. width and height are undefined if the page does not know them. */
export interface Slide {
  src: string;
  srcSet?: string;
  alt: string;
  caption?: Element; // the text below the picture: title, photographer, model, client
  width?: number;
  height?: number;
}

/**
 * slidesOf reads the slides from the page: links to the full pictures around previews, whose srcset has the sizes in
 * between, in the format that the browser chose for the first loaded picture.
 */
export function slidesOf(links: HTMLAnchorElement[]): Slide[] {
  const pictures = links.map((link) => link.querySelector("img"));
  const format = loadedFormat(pictures.find((image) => image?.currentSrc) ?? null);
  return links.map((link, i) => {
    const image = pictures[i];
    const caption = link.nextElementSibling?.firstChild ? { caption: link.nextElementSibling } : {};
    if (!image) return { src: link.href, alt: "", ...caption };
    const srcSet = (srcsetsOf(image)[format] ?? image.srcset) || undefined;
    return { src: link.href, srcSet, alt: image.alt, ...caption, ...dimensionsOf(image) };
  });
}

function dimensionsOf(image: HTMLImageElement): { width?: number; height?: number } {
  const width = Number(image.getAttribute("width"));
  const height = Number(image.getAttribute("height"));
  return width && height ? { width, height } : {};
}

// srcsetsOf returns the srcsets of a picture, that of the img last.
function srcsetsOf(image: HTMLImageElement): string[] {
  const sources = image.closest("picture")?.querySelectorAll("source") ?? [];
  return [...sources, image].map((source) => source.srcset);
}

// loadedFormat is the index of the srcset that an image was loaded from; -1 if it was not loaded yet.
function loadedFormat(image: HTMLImageElement | null): number {
  if (!image) return -1;
  return srcsetsOf(image).findIndex((srcset) =>
    [...srcset.matchAll(/(\S+)\s+\d+w/g)].some(
      ([, src]) => new URL(src!, location.href).href === image.currentSrc,
    ),
  );
}

/** idOf is the id of a picture in the page, and what its address ends with. */
export const idOf = (at: number) => `picture-${at + 1}`;

/** pictureIn reads the index of one of a gallery's pictures from the end of an address; undefined for none. */
export function pictureIn(hash: string, pictures: number): number | undefined {
  const at = Number(/^#picture-(\d+)$/.exec(hash)?.[1]) - 1;
  return at >= 0 && at < pictures ? at : undefined;
}

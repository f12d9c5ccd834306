/** Slide is a picture of the lightbox. width and height are undefined if the page does not know them. */
export interface Slide {
  src: string;
  srcSet?: string;
  alt: string;
  width?: number;
  height?: number;
}

/**
 * slidesOf reads the slides from the page: links to the full pictures around previews, whose srcset has the sizes in
 * between, in the format that the browser chose for the first loaded picture.
 */
export function slidesOf(links: HTMLAnchorElement[]): Slide[] {
  const pictures = links.map((link) => link.querySelector("img"));
  const format = taken(pictures.find((image) => image?.currentSrc) ?? null);
  return links.map((link, i) => {
    const image = pictures[i];
    if (!image) return { src: link.href, alt: "" };
    const srcSet = (sets(image)[format] ?? image.srcset) || undefined;
    return { src: link.href, srcSet, alt: image.alt, ...size(image) };
  });
}

function size(image: HTMLImageElement): { width?: number; height?: number } {
  const width = Number(image.getAttribute("width"));
  const height = Number(image.getAttribute("height"));
  return width && height ? { width, height } : {};
}

// sets are the srcsets of a picture, that of the img last.
function sets(image: HTMLImageElement): string[] {
  const sources = image.closest("picture")?.querySelectorAll("source") ?? [];
  return [...sources, image].map((source) => source.srcset);
}

function taken(image: HTMLImageElement | null): number {
  if (!image) return -1;
  return sets(image).findIndex((srcset) =>
    [...srcset.matchAll(/(\S+)\s+\d+w/g)].some(
      ([, src]) => new URL(src!, location.href).href === image.currentSrc,
    ),
  );
}

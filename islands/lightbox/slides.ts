import type { SlideImage } from "yet-another-react-lightbox";

/**
 * slidesOf reads the slides off the page: a link to the whole picture around its preview, whose
 * srcset has the sizes between, in the format that the browser took for the first picture shown.
 */
export function slidesOf(links: HTMLAnchorElement[]): SlideImage[] {
  const pictures = links.map((link) => link.querySelector("img"));
  const format = taken(pictures.find((image) => image?.currentSrc) ?? null);
  return links.map((link, i) => {
    const image = pictures[i];
    if (!image) return { src: link.href };
    const { width, height } = size(image);
    const srcset = sets(image)[format] ?? image.srcset;
    const srcSet = parse(srcset).map(({ src, width: w }) => ({
      src,
      width: w,
      height: width ? Math.round((w * height) / width) : w,
    }));
    return { src: link.href, alt: image.alt, width, height, srcSet: srcSet.length ? srcSet : undefined };
  });
}

function size(image: HTMLImageElement): { width?: number; height: number } {
  const width = Number(image.getAttribute("width"));
  const height = Number(image.getAttribute("height"));
  return width && height ? { width, height } : { height: 0 };
}

// sets are the srcsets of a picture, that of the img last.
function sets(image: HTMLImageElement): string[] {
  const sources = image.closest("picture")?.querySelectorAll("source") ?? [];
  return [...sources, image].map((source) => source.srcset);
}

function taken(image: HTMLImageElement | null): number {
  if (!image) return -1;
  return sets(image).findIndex((srcset) => parse(srcset).some(({ src }) => src === image.currentSrc));
}

function parse(srcset: string): { src: string; width: number }[] {
  return [...srcset.matchAll(/(\S+)\s+(\d+)w/g)].map(([, src, width]) => ({
    src: new URL(src!, location.href).href,
    width: Number(width),
  }));
}

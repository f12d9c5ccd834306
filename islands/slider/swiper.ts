import Swiper from "swiper";
import type { SwiperOptions } from "swiper/types";

/** strideOf is the way from one item of a strip to the next, in px. */
export function strideOf(strip: HTMLElement): number {
  const [first, second] = strip.children as HTMLCollectionOf<HTMLElement>;
  return (second ? second.offsetLeft - first!.offsetLeft : strip.clientWidth) || 1;
}

/** itemAt is the item that a strip has been scrolled to, from 0. */
export function itemAt(strip: HTMLElement): number {
  return Math.round(strip.scrollLeft / strideOf(strip));
}

const restFor = 150; // ms without movement

/**
 * whenStill calls then once a strip lies on an item: not under a finger, nor running on from one.
 * The function that it returns takes that back.
 */
export function whenStill(strip: HTMLElement, then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const off = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    off.abort();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (Math.abs(strip.scrollLeft - itemAt(strip) * strideOf(strip)) > 2) return wait();
      stop();
      then();
    }, restFor);
  };
  strip.addEventListener("scroll", wait, { signal: off.signal, passive: true });
  wait();
  return stop;
}

/**
 * makeSwiper makes a swiper of a strip that the server drew, and the strip's parent its window.
 * The style sheet lays both out alike (static/css/profile.css), so that nothing moves.
 */
export function makeSwiper(strip: HTMLElement, options: SwiperOptions): Swiper {
  const [item] = strip.children;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return new Swiper(strip.parentElement!, {
    wrapperClass: strip.classList[0],
    slideClass: item!.classList[0],
    ...options,
    speed: still ? 0 : options.speed,
  });
}

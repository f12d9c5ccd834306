import { useMemo, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import type { SwiperProps } from "swiper/react";
import { prefersReducedMotion } from "./react";

interface Place {
  at: number; // the slide that lies there, from 0
  first: boolean;
  last: boolean;
}

/**
 * useStrip makes a swiper of a row that scrolls and snaps with CSS only: touch scrolling stays the browser's, and
 * swiper tracks the slide and handles the buttons.
 */
export function useStrip(slides: number): Place & { strip: SwiperProps; go: (by: number) => void } {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [place, setPlace] = useState<Place>({ at: 0, first: true, last: slides < 2 });
  const strip = useMemo<SwiperProps>(
    () => ({
      cssMode: true,
      slidesPerView: "auto",
      wrapperTag: "ul",
      suppressHydrationWarning: true, // the server's attributes for htmx
      onSwiper(swiper) {
        setSwiper(swiper);
        swiper.wrapperEl.dispatchEvent(new Event("scroll")); // it may have been scrolled before this script was loaded
        look(swiper);
      },
      onProgress: look,
      onSlideChange: look,
    }),
    [],
  );
  function look({ activeIndex, isBeginning, isEnd }: SwiperClass): void {
    setPlace((was) =>
      was.at === activeIndex && was.first === isBeginning && was.last === isEnd
        ? was
        : { at: activeIndex, first: isBeginning, last: isEnd },
    );
  }
  function go(by: number): void {
    if (!swiper) return;
    const to = Math.max(0, Math.min(slides - 1, place.at + by));
    swiper.slideTo(to, prefersReducedMotion() ? 0 : undefined);
    setPlace({ at: to, first: to === 0, last: place.last && by > 0 });
  }
  return { ...place, strip, go };
}

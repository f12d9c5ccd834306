import { useMemo, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import type { SwiperProps } from "swiper/react";
import { prefersReducedMotion } from "./react";

interface Position {
  at: number; // index of the current slide
  first: boolean;
  last: boolean;
}

/**
 * useStrip makes a swiper of a row that scrolls and snaps with CSS only: touch scrolling stays the browser's, and
 * swiper tracks the slide and handles the buttons.
 */
export function useStrip(slides: number): Position & { strip: SwiperProps; go: (by: number) => void } {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [position, setPosition] = useState<Position>({ at: 0, first: true, last: slides < 2 });
  const strip = useMemo<SwiperProps>(
    () => ({
      cssMode: true,
      slidesPerView: "auto",
      wrapperTag: "ul",
      suppressHydrationWarning: true, // the server's attributes for htmx
      onSwiper(swiper) {
        setSwiper(swiper);
        swiper.wrapperEl.dispatchEvent(new Event("scroll")); // it may have been scrolled before this script was loaded
        update(swiper);
      },
      onProgress: update,
      onSlideChange: update,
    }),
    [],
  );
  function update({ activeIndex, isBeginning, isEnd }: SwiperClass): void {
    setPosition((previous) =>
      previous.at === activeIndex && previous.first === isBeginning && previous.last === isEnd
        ? previous
        : { at: activeIndex, first: isBeginning, last: isEnd },
    );
  }
  function go(by: number): void {
    if (!swiper) return;
    const to = Math.max(0, Math.min(slides - 1, position.at + by));
    swiper.slideTo(to, prefersReducedMotion() ? 0 : undefined);
    setPosition({ at: to, first: to === 0, last: position.last && by > 0 });
  }
  return { ...position, strip, go };
}

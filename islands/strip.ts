import { useMemo, useRef, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import type { SwiperProps } from "swiper/react";
import { prefersReducedMotion } from "./react";

interface Position {
  at: number; // index of the current slide
  first: boolean;
  last: boolean;
}

interface Strip extends Position {
  swiper?: SwiperClass;
  strip: SwiperProps;
  go: (by: number) => void;
}

/**
 * useStrip makes a swiper of a row that scrolls and snaps with CSS only: touch scrolling stays the browser's, and
 * swiper tracks the slide. go is for the buttons; duration, in ms, is how long it takes.
 */
export function useStrip(slides: number, duration: number): Strip {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [position, setPosition] = useState<Position>({ at: 0, first: true, last: slides < 2 });
  const shown = useRef(0); // index of the current slide, also while all of them stand in rows
  const movement = useRef<AbortController>(undefined); // by a button; aborted when it has ended
  const strip = useMemo<SwiperProps>(
    () => ({
      cssMode: true,
      slidesPerView: "auto",
      // Swiper takes a container with a fractional height for one that has just been resized, and would move it back
      // to a slide under the visitor's finger. The width depends on the window alone, whose resizes it handles too.
      resizeObserver: false,
      wrapperTag: "ul",
      suppressHydrationWarning: true, // the server's attributes for htmx
      onSwiper(swiper) {
        setSwiper(swiper);
        swiper.wrapperEl.dispatchEvent(new Event("scroll")); // it may have been scrolled before this script was loaded
        update(swiper);
      },
      onBeforeResize(swiper) {
        movement.current?.abort();
        swiper.activeIndex = shown.current; // where swiper's own handler scrolls to next
      },
      onProgress: update,
      onSlideChange: update,
    }),
    [],
  );
  function update({ activeIndex, isBeginning, isEnd, wrapperEl }: SwiperClass): void {
    if (movement.current?.signal.aborted === false) return; // position is the slide that it leads to
    if (wrapperEl.scrollWidth <= wrapperEl.clientWidth) return; // in rows, all slides are shown
    shown.current = activeIndex;
    setPosition((previous) =>
      previous.at === activeIndex && previous.first === isBeginning && previous.last === isEnd
        ? previous
        : { at: activeIndex, first: isBeginning, last: isEnd },
    );
  }
  function go(by: number): void {
    if (!swiper) return;
    const end = swiper.snapGrid.length - 1;
    const to = Math.max(0, Math.min(end, shown.current + by));
    shown.current = to;
    setPosition({ at: to, first: to === 0, last: to === end });
    movement.current?.abort();
    movement.current = new AbortController();
    scrollRow(
      swiper.wrapperEl,
      swiper.snapGrid[to]!,
      prefersReducedMotion() ? 0 : duration,
      movement.current,
    );
  }
  return { ...position, strip, go, swiper };
}

const ease = (part: number) => 1 - (1 - part) ** 3;

/**
 * scrollRow scrolls a snapping row within a duration, which the browser's own smooth scrolling can't be given. A touch
 * or the wheel takes over. The movement is aborted at its end, or by the caller before it.
 */
function scrollRow(row: HTMLElement, to: number, duration: number, movement: AbortController): void {
  const { signal } = movement;
  for (const type of ["pointerdown", "wheel"])
    row.addEventListener(type, () => movement.abort(), { signal, passive: true });
  signal.addEventListener("abort", () => (row.style.scrollSnapType = ""));
  const [from, start] = [row.scrollLeft, performance.now()];
  requestAnimationFrame(function step(now) {
    if (signal.aborted) return;
    row.style.scrollSnapType = "none"; // at each step, because swiper resets it after a resize
    const part = Math.max(0, Math.min(1, (now - start) / (duration || 1)));
    row.scrollLeft = from + (to - from) * ease(part);
    if (part < 1) requestAnimationFrame(step);
    else movement.abort();
  });
}

// A half of the home page: a swiper that fades from one of the server's slides to the next. It pauses while the page is
// hidden or the half has the focus, and permanently when its button is pressed; not under the pointer, which is always
// over one of the halves. With reduced motion the island is not loaded.
import { useEffect, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import { Autoplay, EffectFade } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import { Icon, island, Kept } from "../react";

/** The same as carouselProps in views/home.go. */
export interface Props {
  slides: number;
  pause: string;
  play: string;
  icons: string; // address of the sprite
}

const slide = "relative size-full flex-none [transition-property:opacity]";
const modules = [Autoplay, EffectFade];
const fade = { crossFade: false };
const fadeFor = 2500; // ms
// The delay counts from one slide to the next, in ms. If Swiper waited for the end of the transition, it would wait for
// ever after the window was resized, which moves the slides without one.
const autoplay = { delay: 5000, disableOnInteraction: false, waitForTransition: false };

export function Carousel({ slides, pause, play, icons }: Props) {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [at, setAt] = useState(0);
  const [reached, setReached] = useState(-1);
  const [pressed, setPressed] = useState(false);
  const [focused, setFocused] = useState(false);
  const unseen = useHidden();
  const running = !pressed && !focused && !unseen;

  useEffect(() => {
    if (!running) swiper?.autoplay.stop();
    else if (!swiper?.autoplay.running) swiper?.autoplay.start();
  }, [swiper, running]);

  function look({ realIndex }: SwiperClass): void {
    setAt(realIndex);
    setReached((before) => Math.max(before, realIndex));
  }

  function press(): void {
    setPressed(!pressed);
    if (pressed) setFocused(false); // after pressing play it should run, though the button has the focus
  }

  return (
    <div
      data-running={swiper ? running : undefined}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Swiper
        className="absolute inset-0 overflow-hidden [&>ul]:flex [&>ul]:h-full"
        wrapperTag="ul"
        modules={modules}
        effect="fade"
        fadeEffect={fade}
        speed={fadeFor}
        loop
        allowTouchMove={false} // the whole half is a link
        autoplay={autoplay}
        onSwiper={setSwiper}
        onInit={look}
        onRealIndexChange={look}
      >
        {Array.from({ length: slides }, (_, i) => (
          // Only the next picture is loaded early.
          <SwiperSlide key={i} tag="li" className={i <= reached + 1 ? slide : `${slide} [&_picture]:hidden`}>
            <Kept as="picture" />
          </SwiperSlide>
        ))}
      </Swiper>
      <div
        className={
          "absolute bottom-0 left-0 flex items-stretch gap-[14px] bg-paper py-4 pl-gutter pr-3 lg:gap-[20px] " +
          "lg:pb-[22px] lg:pr-5 lg:pt-5 halves:group-last/half:left-auto halves:group-last/half:right-0 " +
          "halves:group-last/half:flex-row-reverse halves:group-last/half:pl-5 halves:group-last/half:pr-gutter"
        }
      >
        <Kept as="h2" />
        <div className="grid min-w-[32px]">
          {swiper && (
            <div
              className={
                "relative z-[2] grid min-w-[32px] content-between justify-items-start text-label/none lining-nums " +
                "tabular-nums lg:text-small/none halves:group-last/half:justify-items-end"
              }
            >
              <span aria-hidden="true">{`${at + 1}/${slides}`}</span>
              <button
                className="after:absolute after:-inset-x-2 after:-inset-y-[10px]"
                type="button"
                aria-label={pressed ? play : pause}
                onClick={press}
              >
                <Icon
                  size="-ml-[5px] size-[18px] halves:group-last/half:-mr-[5px] halves:group-last/half:ml-0"
                  href={`${icons}#${pressed ? "play" : "pause"}`}
                />
              </button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

/** useHidden reports whether the page is hidden. */
function useHidden(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const look = () => setHidden(document.hidden);
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return hidden;
}

export default island(Carousel);

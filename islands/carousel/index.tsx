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
  slides: { name?: string; href?: string }[]; // whom each names
  pause: string;
  play: string;
  icons: string; // address of the sprite
}

const modules = [Autoplay, EffectFade];
const fade = { crossFade: false };
const fadeFor = 2500; // ms
// The delay counts from one slide to the next, in ms. Swiper must not wait for the end of a transition: after a resize
// of the window, which moves the slides without one, it would wait forever.
const autoplay = { delay: 5000, disableOnInteraction: false, waitForTransition: false };

export function Carousel({ slides, pause, play, icons }: Props) {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [current, setCurrent] = useState(0);
  const [furthest, setFurthest] = useState(-1);
  const [paused, setPaused] = useState(false);
  const [focused, setFocused] = useState(false);
  const [pointed, setPointed] = useState(false); // at the name, which must not change under a click
  const pageHidden = usePageHidden();
  const running = !paused && !focused && !pointed && !pageHidden;

  useEffect(() => {
    if (!running) swiper?.autoplay.stop();
    else if (!swiper?.autoplay.running) swiper?.autoplay.start();
  }, [swiper, running]);

  function update({ realIndex }: SwiperClass): void {
    setCurrent(realIndex);
    setFurthest((previous) => Math.max(previous, realIndex));
  }

  function togglePause(): void {
    setPaused(!paused);
    if (paused) setFocused(false); // play, although the button has the focus
  }

  const { name, href } = slides[current]!;
  return (
    <div
      data-running={swiper ? running : undefined}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Swiper
        className="half-slides absolute inset-0 overflow-hidden"
        wrapperTag="ul"
        modules={modules}
        effect="fade"
        fadeEffect={fade}
        speed={fadeFor}
        loop
        allowTouchMove={false} // the whole half is a link
        autoplay={autoplay}
        onSwiper={setSwiper}
        onInit={update}
        onRealIndexChange={update}
      >
        {slides.map((_, i) => (
          // The pictures shown so far and the next one are loaded, no others.
          <SwiperSlide key={i} tag="li" className={i <= furthest + 1 ? "" : "unloaded"}>
            <Kept as="picture" />
          </SwiperSlide>
        ))}
      </Swiper>
      <div className="half-foot">
        <p
          className="half-name"
          onPointerEnter={() => setPointed(true)}
          onPointerLeave={() => setPointed(false)}
        >
          {name && <a href={href}>{name}</a>}
        </p>
        <Kept as="h2" />
        <div className="grid min-w-6">
          {swiper && (
            <div
              className={
                "relative z-2 grid min-w-6 content-between justify-items-start text-label/none lining-nums " +
                "tabular-nums lg:text-small/none halves:group-last/half:justify-items-end"
              }
            >
              <span aria-hidden="true">{`${current + 1}/${slides.length}`}</span>
              <button
                className="after:absolute after:-inset-x-2 after:-inset-y-2.5"
                type="button"
                aria-label={paused ? play : pause}
                onClick={togglePause}
              >
                <Icon
                  size="-ml-1.25 size-4.25 halves:group-last/half:-mr-1.25 halves:group-last/half:ml-0"
                  href={`${icons}#${paused ? "play" : "pause"}`}
                />
              </button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

/** usePageHidden reports whether the page is hidden. */
function usePageHidden(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const update = () => setHidden(document.hidden);
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return hidden;
}

export default island(Carousel);

// A half of the home page: a swiper that fades from one of the server's slides to the next. The second half changes
// between two slides of the first, so that there is one change at a time, and a rest between two. Both pause while the
// page is hidden or one of them has the focus, and permanently when the first one's button is pressed; not under the
// pointer, which is always over one of the halves. With reduced motion the island is not loaded.
import { useEffect, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import { Autoplay, EffectFade } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import { Icon, island, Kept } from "../react";

/** The same as carouselProps in views/home.go. */
export interface Props {
  slides: { name?: string; href?: string }[]; // whom each names
  second?: boolean; // without a button
  pause: string;
  play: string;
  icons: string; // address of the sprite
}

const modules = [Autoplay, EffectFade];
const fade = { crossFade: false };
// In ms. A picture stands alone, then the next fades in; its name comes when half of it is there.
const [standsFor, fadeFor, namedAfter] = [5000, 2500, 750];
// The delay counts from one slide to the next. Swiper must not wait for the end of a transition: after a resize of the
// window, which moves the slides without one, it would wait forever.
const autoplay = { delay: standsFor + fadeFor, disableOnInteraction: false, waitForTransition: false };

// Why both halves stand still: the button, and halves that have the focus or the pointer at their name.
const holds = new Set<object>();
const button = {};
const listeners = new Set<() => void>();

function hold(by: object, held: boolean): void {
  if (held) holds.add(by);
  else holds.delete(by);
  for (const listener of listeners) listener();
}

/** useHolds reports whether both halves stand still, and whether by the button. */
function useHolds(): { held: boolean; paused: boolean } {
  const read = () => ({ held: holds.size > 0, paused: holds.has(button) });
  const [state, setState] = useState(read);
  useEffect(() => {
    const update = () => setState(read());
    listeners.add(update);
    update();
    return () => void listeners.delete(update);
  }, []);
  return state;
}

export function Carousel({ slides, second = false, pause, play, icons }: Props) {
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [current, setCurrent] = useState(0);
  const [named, setNamed] = useState(0); // whose name is shown
  const [furthest, setFurthest] = useState(-1);
  const [focused, setFocused] = useState(false);
  const [pointed, setPointed] = useState(false); // at the name, which must not change under a click
  const [half] = useState({});
  const { held, paused } = useHolds();
  const pageHidden = usePageHidden();
  const running = !held && !pageHidden;

  useEffect(() => {
    hold(half, focused || pointed);
    return () => hold(half, false);
  }, [half, focused, pointed]);

  useEffect(() => {
    if (!swiper) return;
    swiper.autoplay.stop();
    if (!running) return;
    const start = () => {
      swiper.slideNext();
      swiper.autoplay.start();
    };
    const timer = setTimeout(start, standsFor + (second ? autoplay.delay / 2 : 0));
    return () => clearTimeout(timer);
  }, [swiper, running, second]);

  useEffect(() => {
    const timer = setTimeout(() => setNamed(current), namedAfter);
    return () => clearTimeout(timer);
  }, [current]);

  function update({ realIndex }: SwiperClass): void {
    setCurrent(realIndex);
    setFurthest((previous) => Math.max(previous, realIndex));
  }

  function togglePause(): void {
    hold(button, !paused);
    if (paused) setFocused(false); // play, although the button has the focus
  }

  const { name, href } = slides[named]!;
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
        {!second && (
          <div className="grid min-w-6">
            {swiper && (
              <button
                className="relative z-2 self-end after:absolute after:-inset-x-2 after:-inset-y-2.5"
                type="button"
                aria-label={paused ? play : pause}
                onClick={togglePause}
              >
                <Icon size="-ml-1.25 size-4.25" href={`${icons}#${paused ? "play" : "pause"}`} />
              </button>
            )}
          </div>
        )}
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

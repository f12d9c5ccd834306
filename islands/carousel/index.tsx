// A half of the home page: a swiper that fades from one of the server's slides to the next. It
// stands still for who wants less motion (the island is not fetched then), while the page is not
// seen, under the pointer and the focus, and for good once its button was pressed.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import Swiper from "swiper";
import { Autoplay, EffectFade } from "swiper/modules";

/** The same as carouselProps in views/home.go. */
export interface Props {
  pause: string;
  play: string;
  icons: string;
}

const fade = 2500; // ms
const rest = 5000; // ms from one slide to the next

export default function mount(root: HTMLElement, words: Props): () => void {
  const slides = root.querySelector<HTMLElement>(".half__slides")!;
  const swiper = new Swiper(slides.parentElement!, {
    modules: [Autoplay, EffectFade],
    wrapperClass: "half__slides",
    slideClass: "half__slide",
    effect: "fade",
    fadeEffect: { crossFade: false },
    speed: fade,
    loop: true,
    slidesPerView: 1,
    allowTouchMove: false, // the whole half is a link
    autoplay: { delay: rest, disableOnInteraction: false },
    on: { init: near, realIndexChange: near, slideChangeTransitionEnd: near },
  });
  const place = root.querySelector<HTMLElement>(".half__control")!;
  render(<Control swiper={swiper} root={root} words={words} />, place);
  return () => {
    render(null, place);
    swiper.destroy();
  };
}

// near lets the browser fetch the picture that comes next, and no others before their time.
function near({ slides, activeIndex }: Swiper): void {
  for (const at of [activeIndex, activeIndex + 1]) slides[at % slides.length]?.classList.add("is-near");
}

/** Why a carousel stands still. It goes on when nothing is left. */
type Reason = "pressed" | "pointer" | "focus" | "unseen";

function Control({ swiper, root, words }: { swiper: Swiper; root: HTMLElement; words: Props }) {
  const [at, setAt] = useState(swiper.realIndex);
  const [pressed, setPressed] = useState(false);
  const [still] = useState(() => new Set<Reason>());

  function because(reason: Reason, holds: boolean): void {
    if (holds) still.add(reason);
    else still.delete(reason);
    if (still.size) swiper.autoplay.stop();
    else if (!swiper.autoplay.running) swiper.autoplay.start();
    root.dataset.running = String(still.size === 0);
  }

  useEffect(() => {
    const left = new AbortController();
    const on = (type: string, reason: Reason, holds: boolean) =>
      root.addEventListener(type, () => because(reason, holds), { signal: left.signal });
    on("pointerenter", "pointer", true);
    on("pointerleave", "pointer", false);
    on("focusin", "focus", true);
    on("focusout", "focus", false);
    const seen = () => because("unseen", document.hidden);
    document.addEventListener("visibilitychange", seen, { signal: left.signal });
    because("pointer", matchMedia("(hover: hover)").matches && root.matches(":hover"));
    seen();
    const tell = () => setAt(swiper.realIndex);
    swiper.on("realIndexChange", tell);
    return () => {
      left.abort();
      swiper.off("realIndexChange", tell);
    };
  }, []);

  return (
    <div class="half__pause num">
      <span aria-hidden="true">
        {at + 1}/{swiper.slides.length}
      </span>
      <button
        type="button"
        aria-label={pressed ? words.play : words.pause}
        onClick={() => {
          if (pressed) still.clear(); // who presses play wants to see it, also from under the pointer
          because("pressed", !pressed);
          setPressed(!pressed);
        }}
      >
        <svg class="ic" aria-hidden="true">
          <use href={`${words.icons}#${pressed ? "play" : "pause"}`} />
        </svg>
      </button>
    </div>
  );
}

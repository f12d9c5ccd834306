// The gallery of a profile on a phone. The server's strip already scrolls and snaps; this makes it
// a swiper with buttons and a counter once it lies still, and gives it back on a wide screen.
import type Swiper from "swiper";
import { itemAt, makeSwiper, strideOf, whenStill } from "./swiper";

const narrow = matchMedia("(max-width: 1023px)"); // as in views/gallery.templ

export default function mount(root: HTMLElement): () => void {
  const strip = root.querySelector<HTMLElement>(".gallery__strip")!;
  const items = [...strip.children];
  const count = root.querySelector<HTMLElement>("[data-count]");
  const buttons = root.querySelectorAll<HTMLButtonElement>("[data-step]");
  const left = new AbortController();
  const { signal } = left;
  let swiper: Swiper | undefined;
  let stopWaiting: (() => void) | undefined;

  const at = () => swiper?.activeIndex ?? itemAt(strip);

  function tell(): void {
    if (count) count.textContent = `${at() + 1} / ${items.length}`;
    for (const button of buttons) {
      const to = at() + Number(button.dataset.step);
      button.setAttribute("aria-disabled", String(to < 0 || to >= items.length));
    }
  }

  function adopt(): void {
    stopWaiting?.();
    if (swiper || !narrow.matches || items.length < 2) return;
    swiper = makeSwiper(strip, {
      speed: 500,
      spaceBetween: 8,
      initialSlide: at(),
      on: { slideChange: tell },
    });
    tell();
  }

  function release(): void {
    const index = at();
    swiper?.destroy();
    swiper = undefined;
    strip.scrollLeft = index * strideOf(strip);
  }

  function fit(): void {
    stopWaiting?.();
    if (narrow.matches) stopWaiting = whenStill(strip, adopt);
    else release();
  }

  strip.addEventListener("scroll", tell, { signal, passive: true });
  strip.addEventListener(
    "focusin",
    (event) => {
      const index = items.findIndex((item) => item.contains(event.target as Node));
      if (index !== at()) swiper?.slideTo(index);
    },
    { signal },
  );
  for (const button of buttons)
    button.addEventListener(
      "click",
      () => {
        adopt();
        swiper?.slideTo(at() + Number(button.dataset.step));
      },
      { signal },
    );
  narrow.addEventListener("change", fit, { signal });
  fit();
  tell();

  return () => {
    left.abort();
    stopWaiting?.();
    swiper?.destroy();
  };
}

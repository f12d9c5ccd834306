// The films of a profile: a thumbnail puts its film into the viewer, and only the play button asks
// the provider for it. Thumbnails are a swiper where there are more than fit.
import type Swiper from "swiper";
import { itemAt, makeSwiper, whenStill } from "../slider/swiper";

export default function mount(root: HTMLElement): () => void {
  const viewer = root.querySelector<HTMLElement>(".video__view")!;
  const play = root.querySelector<HTMLAnchorElement>(".video__play")!;
  const note = root.querySelector<HTMLElement>(".video__note")!;
  const strip = root.querySelector<HTMLElement>(".video__thumbs");
  const thumbs = strip ? [...strip.querySelectorAll<HTMLAnchorElement>("a")] : [];
  const left = new AbortController();
  const { signal } = left;
  let frame: HTMLIFrameElement | undefined;

  let swiper: Swiper | undefined;

  function adopt(): void {
    if (!strip || swiper) return;
    stopWaiting?.();
    swiper = makeSwiper(strip, {
      speed: 1000,
      slidesPerView: 2,
      spaceBetween: 8,
      breakpoints: { 1024: { slidesPerView: 6, spaceBetween: 12 } },
      initialSlide: itemAt(strip),
    });
  }
  const stopWaiting = strip && whenStill(strip, adopt);

  function start(): void {
    frame = document.createElement("iframe");
    frame.src = play.dataset.embed!;
    frame.title = play.dataset.title!;
    frame.allow = "autoplay; fullscreen; encrypted-media; picture-in-picture";
    frame.allowFullscreen = true;
    viewer.append(frame);
    play.hidden = true;
    frame.focus();
  }

  function choose(thumb: HTMLAnchorElement): void {
    frame?.remove();
    frame = undefined;
    play.hidden = false;
    play.href = thumb.dataset.page!;
    play.dataset.embed = thumb.dataset.embed;
    play.dataset.title = thumb.dataset.title;
    note.textContent = thumb.dataset.note!;
    const preview = thumb.firstElementChild!.cloneNode(true) as HTMLElement;
    const { sizes } = viewer.querySelector("img") ?? { sizes: "" };
    for (const part of [preview, ...preview.querySelectorAll("img, source")])
      if (part.hasAttribute("sizes")) part.setAttribute("sizes", sizes || "100vw");
    viewer.firstElementChild!.replaceWith(preview);
    for (const other of thumbs) other.toggleAttribute("aria-current", false);
    thumb.setAttribute("aria-current", "true");
    history.replaceState(history.state, "", thumb.href);
  }

  root.addEventListener(
    "click",
    (event) => {
      const target = (event.target as Element).closest<HTMLElement>("a, button");
      if (!target || event.button) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (target.dataset.step) {
        adopt();
        if (target.dataset.step === "1") swiper?.slideNext();
        else swiper?.slidePrev();
        return;
      }
      event.preventDefault();
      if (target === play) start();
      else if (target instanceof HTMLAnchorElement) choose(target);
    },
    { signal },
  );

  return () => {
    left.abort();
    stopWaiting?.();
    frame?.remove();
    swiper?.destroy();
  };
}

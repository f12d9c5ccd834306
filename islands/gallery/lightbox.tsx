// The pictures of a gallery on the whole screen, one at a time: a modal dialog around a swiper with
// zoom (pinch, double tap, wheel, button) and arrow keys.
import { type WheelEvent, useLayoutEffect, useRef, useState } from "react";
import type { Swiper as SwiperClass } from "swiper";
import { Keyboard, Zoom } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import { Icon, prefersReducedMotion } from "../react";
import type { Slide } from "./slides";

/** The same as lightboxWords in views/gallery.templ. */
export interface LightboxWords {
  name: string; // below the picture
  title: string; // of the dialog
  previous: string;
  next: string;
  close: string;
  zoomIn: string;
  zoomOut: string;
  picture: string;
  count: string; // with {index} and {total}
  missing: string;
}

interface Props {
  slides: Slide[];
  at: number;
  opener: HTMLElement;
  icons: string;
  words: LightboxWords;
  onView: (at: number) => void;
  onClose: () => void;
}

const modules = [Keyboard, Zoom];
const keyboard = { enabled: true };
const zoom = { maxRatio: 3 };
const minPull = 120; // px that a finger moves down to close

export function Lightbox({ slides, at, opener, icons, words, onView, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [returnFocus] = useState(opener);
  const [shown, setShown] = useState(false); // swiper measures its container
  const [swiper, setSwiper] = useState<SwiperClass>();
  const [scale, setScale] = useState(1);

  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    element.focus(); // not its first button, which would show a ring with the arrow keys
    setShown(true);
    return () => {
      element.close();
      returnFocus.focus({ preventScroll: true });
    };
  }, [returnFocus]);

  // Back and Forward also change the picture.
  useLayoutEffect(() => {
    if (swiper && swiper.activeIndex !== at) swiper.slideTo(at);
  }, [swiper, at]);

  function onWheel({ deltaY }: WheelEvent): void {
    if (!swiper || deltaY === 0) return;
    const to = scale * (deltaY < 0 ? 1.25 : 0.8);
    if (to <= 1) swiper.zoom.out();
    else swiper.zoom.in(Math.min(to, zoom.maxRatio));
  }

  function onRelease({ touches }: SwiperClass): void {
    const { startX, startY, currentX, currentY } = touches;
    if (scale === 1 && currentY - startY > minPull && Math.abs(currentX - startX) < minPull / 2) onClose();
  }

  const label = (at: number) =>
    words.count.replace("{index}", String(at + 1)).replace("{total}", String(slides.length));
  const first = at === 0;
  const last = at === slides.length - 1;

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none overflow-hidden bg-paper text-ink"
      data-lightbox=""
      aria-label={words.title}
      onCancel={(event) => {
        event.preventDefault(); // stays until onClose takes it away
        onClose();
      }}
      onClose={() => dialog.current?.isConnected && onClose()}
      onWheel={onWheel}
    >
      {shown && (
        <Swiper
          className={
            "absolute inset-x-0 inset-y-7.75 touch-none [&>div]:flex [&>div]:h-full " +
            "[&>div]:[transition-property:transform]"
          }
          modules={modules}
          keyboard={keyboard}
          zoom={zoom}
          initialSlide={at}
          speed={prefersReducedMotion() ? 0 : 320}
          longSwipesRatio={0.2} // the default is half the width
          onSwiper={setSwiper}
          onSlideChange={({ activeIndex }) => onView(activeIndex)}
          onZoomChange={(_, scale) => setScale(scale)}
          onTouchEnd={onRelease}
        >
          {slides.map((slide, i) => (
            <SwiperSlide
              key={i}
              zoom
              className={
                "size-full flex-none [&>div]:flex [&>div]:size-full [&>div]:items-center [&>div]:justify-center " +
                "[&>div]:overflow-clip"
              }
              role="group"
              aria-roledescription={words.picture}
              aria-label={label(i)}
              inert={i !== at}
            >
              {Math.abs(i - at) < 2 && (
                <Picture slide={slide} zoomed={i === at && scale > 1} missing={words.missing} />
              )}
            </SwiperSlide>
          ))}
        </Swiper>
      )}
      <p
        className="absolute left-gutter top-0 text-ui leading-[60px] tabular-nums"
        data-count=""
        aria-hidden="true"
      >
        {`${at + 1} / ${slides.length}`}
      </p>
      <p className="sr-only" aria-live="polite">
        {label(at)}
      </p>
      <div className="absolute right-gutter-3 top-2 flex gap-3">
        <Button
          label={scale > 1 ? words.zoomOut : words.zoomIn}
          icon={`${icons}#zoom`}
          onClick={() => (scale > 1 ? swiper?.zoom.out() : swiper?.zoom.in())}
        />
        <Button label={words.close} icon={`${icons}#close`} onClick={onClose} />
      </div>
      <p className="absolute inset-x-8.25 bottom-0 grid h-7.75 content-center text-center font-serif text-3">
        <span className="overflow-hidden text-ellipsis whitespace-nowrap">{words.name}</span>
        <Caption key={at} of={slides[at]?.caption} />
      </p>
      {slides.length > 1 && (
        <div
          className={
            "pointer-events-none absolute inset-x-gutter-3 bottom-2 flex justify-between " +
            "[&>button]:pointer-events-auto"
          }
        >
          <Button
            label={words.previous}
            icon={`${icons}#back`}
            disabled={first}
            onClick={() => swiper?.slidePrev()}
          />
          <Button
            label={words.next}
            icon={`${icons}#next`}
            disabled={last}
            onClick={() => swiper?.slideNext()}
          />
        </div>
      )}
    </dialog>
  );
}

/** Caption is a copy of the text below a picture, with its links. */
function Caption({ of: caption }: { of?: Element }) {
  const copy = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (caption) copy.current!.append(...caption.cloneNode(true).childNodes);
  }, [caption]);
  return <span ref={copy} className="font-sans text-small/tight text-ink-2" />;
}

interface ButtonProps {
  label: string;
  icon: string;
  disabled?: boolean;
  onClick: () => void;
}

// A disabled button keeps the focus, so that keyboard users don't lose it at the last picture.
function Button({ label, icon, disabled = false, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={onClick}
    >
      <Icon href={icon} />
    </button>
  );
}

// Picture fills the screen and loads a larger file when zoomed.
function Picture({ slide, zoomed, missing }: { slide: Slide; zoomed: boolean; missing: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <p className="text-ink-2">{missing}</p>;
  const { width, height } = slide;
  const fittedWidth = width && height ? `min(100vw, ${Math.round((100 * width) / height)}vh)` : "100vw";
  return (
    <img
      className={
        "size-auto max-h-full max-w-full cursor-zoom-in bg-transparent object-contain " +
        "[.swiper-slide-zoomed_&]:cursor-move"
      }
      src={slide.src}
      srcSet={slide.srcSet}
      sizes={zoomed ? `calc(2 * ${fittedWidth})` : fittedWidth}
      alt={slide.alt}
      width={width}
      height={height}
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  );
}

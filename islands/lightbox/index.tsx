// The lightbox of a profile's pictures. #picture-3 in the address is its state: opening pushes it,
// so that Back closes, and a link with it opens. Everything else is yet-another-react-lightbox,
// dressed by static/css/lightbox.css.
import { render } from "preact";
import Lightbox, { type SlideImage, useLightboxState, type ZoomRef } from "yet-another-react-lightbox";
import Zoom from "yet-another-react-lightbox/plugins/zoom";
import "./effects";
import { slidesOf } from "./slides";

/** The same as lightboxProps in views/gallery.templ. */
export interface Props {
  name: string;
  title: string;
  icons: string;
  previous: string;
  next: string;
  close: string;
  zoomIn: string;
  zoomOut: string;
  pictures: string;
  picture: string;
  count: string;
  missing: string;
}

// Without motion a swipe still takes 1 ms: at 0 the library never ends it, and zoom stays locked.
const still = "(prefers-reduced-motion: reduce)";

export default function mount(root: HTMLElement, props: Props): () => void {
  const links = [...root.querySelectorAll<HTMLAnchorElement>("li > a")];
  const slides = slidesOf(links);
  const place = document.createElement("div");
  const left = new AbortController();
  const { signal } = left;
  let open = -1; // the picture shown, -1 for none
  let pushed = false; // the address of the open picture is an entry of its own in the history

  const linked = () => links.findIndex((link) => "#" + link.parentElement!.id === location.hash);
  const address = (at: number) => "#" + links[at]!.parentElement!.id;

  function draw(): void {
    if (open < 0) return render(null, place);
    render(
      <Box
        slides={slides}
        at={open}
        texts={props}
        view={(at) => {
          open = at;
          if (linked() !== at) history.replaceState(history.state, "", address(at));
        }}
        close={close}
      />,
      place,
    );
  }

  function show(at: number): void {
    links[at]!.focus({ preventScroll: true }); // focus comes back to where it was
    open = at;
    draw();
  }

  function close(): void {
    if (open < 0) return;
    open = -1;
    draw();
    if (pushed)
      history.back(); // popstate finds it closed
    else history.replaceState(history.state, "", location.pathname + location.search);
    pushed = false;
  }

  root.addEventListener(
    "click",
    (event) => {
      const at = links.indexOf((event.target as Element).closest("a")!);
      if (at < 0 || event.defaultPrevented || event.button) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.pushState(history.state, "", address(at));
      pushed = true;
      show(at);
    },
    { signal },
  );
  addEventListener(
    "popstate",
    () => {
      const at = linked();
      if (at < 0) {
        open = -1;
        draw();
      } else if (at !== open) {
        pushed = true;
        show(at);
      }
    },
    { signal },
  );
  // Firefox tells htmx of every step back, of those within a page too: they are not for it.
  const path = location.pathname + location.search;
  document.addEventListener(
    "htmx:before:history:restore",
    (event) => (event as CustomEvent<{ path: string }>).detail.path === path && event.preventDefault(),
    { signal },
  );
  if (linked() >= 0) show(linked());

  return () => {
    left.abort();
    open = -1;
    render(null, place);
  };
}

interface BoxProps {
  slides: SlideImage[];
  at: number;
  texts: Props;
  view: (at: number) => void;
  close: () => void;
}

function Box({ slides, at, texts, view, close }: BoxProps) {
  const icon = (name: string) => (
    <svg class="ic" aria-hidden="true">
      <use href={`${texts.icons}#${name}`} />
    </svg>
  );
  const one = slides.length < 2;
  return (
    <Lightbox
      open
      index={at}
      slides={slides}
      close={close}
      plugins={[Zoom]}
      className="lightbox"
      carousel={{ finite: true, padding: 0, preload: 1 }}
      controller={{ closeOnPullDown: true }}
      animation={matchMedia(still).matches ? { fade: 0, swipe: 1, zoom: 0 } : { fade: 160, swipe: 320 }}
      zoom={{ maxZoomPixelRatio: 2, scrollToZoom: true }}
      on={{ view: ({ index }) => view(index) }}
      labels={{
        Lightbox: texts.title,
        Previous: texts.previous,
        Next: texts.next,
        Close: texts.close,
        "Zoom in": texts.zoomIn,
        "Zoom out": texts.zoomOut,
        "Photo gallery": texts.title,
        Carousel: texts.pictures,
        Slide: texts.picture,
        "{index} of {total}": texts.count,
      }}
      render={{
        buttonPrev: one ? () => null : undefined,
        buttonNext: one ? () => null : undefined,
        iconPrev: () => icon("back"),
        iconNext: () => icon("next"),
        iconClose: () => icon("close"),
        iconLoading: () => null,
        iconError: () => <p class="quiet">{texts.missing}</p>,
        buttonZoom: (zoom: ZoomRef) => (
          <ZoomButton key="zoom" zoom={zoom} texts={texts} icon={icon("zoom")} />
        ),
        controls: () => <Legend name={texts.name} />,
      }}
    />
  );
}

function Legend({ name }: { name: string }) {
  const { currentIndex, slides } = useLightboxState();
  return (
    <>
      <p class="lightbox__count num" aria-hidden="true">
        {currentIndex + 1} / {slides.length}
      </p>
      <p class="lightbox__name h3">{name}</p>
    </>
  );
}

// ZoomButton zooms in while there is more to see, and then out.
function ZoomButton({ zoom, texts, icon }: { zoom: ZoomRef; texts: Props; icon: preact.JSX.Element }) {
  const further = zoom.zoom < zoom.maxZoom;
  return (
    <button
      type="button"
      class="yarl__button"
      aria-label={further ? texts.zoomIn : texts.zoomOut}
      disabled={zoom.disabled}
      onClick={() => (further ? zoom.zoomIn() : zoom.changeZoom(1))}
    >
      {icon}
    </button>
  );
}

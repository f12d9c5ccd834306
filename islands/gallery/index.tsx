// A gallery of a profile: a strip on a phone, which counts and has buttons, and masonry from 1024 px; a picture opens
// in the lightbox. #picture-3 in the address is the lightbox's state: opening pushes it, so that Back closes the
// lightbox, and a link with it opens it.
import { type MouseEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Swiper, SwiperSlide } from "swiper/react";
import { isPlain } from "../plain";
import { island, Kept, prefersReducedMotion } from "../react";
import { Steps, type StepWords } from "../steps";
import { useStrip } from "../strip";
import { Lightbox, type LightboxWords } from "./lightbox";
import { idOf, pictureIn, slidesOf } from "./slides";

/** The same as galleryProps in views/gallery.templ. */
export interface Props {
  gallery: string;
  captions: boolean; // there is a text below each picture
  places: string[]; // a class for each picture: its place in the grid
  icons: string; // address of the sprite
  steps: StepWords;
  lightbox: LightboxWords;
}

const slideDuration = 500; // ms

export function Gallery({ gallery, captions, places, icons, steps, lightbox }: Props) {
  const { at, first, last, strip, go, swiper } = useStrip(places.length, slideDuration);
  const links = [...(swiper?.el.querySelectorAll<HTMLAnchorElement>("li > a") ?? [])];
  const { open, show, view, close } = useOpenPicture(places.length);

  function click(event: MouseEvent, at: number): void {
    if (!isPlain(event) || !document.createElement("dialog").showModal) return; // not in old browsers
    event.preventDefault();
    show(at);
  }

  return (
    <>
      <Swiper {...strip} className="strip" data-gallery={gallery}>
        {places.map((place, i) => (
          <SwiperSlide key={i} tag="li" className={place} id={idOf(i)}>
            <Kept as="a" onClick={(event) => click(event, i)} />
            {captions && <Kept as="p" />}
          </SwiperSlide>
        ))}
      </Swiper>
      {places.length > 1 && (
        <Steps words={steps} count={`${at + 1} / ${places.length}`} first={first} last={last} go={go} />
      )}
      {swiper && open !== undefined && (
        <Lightbox
          slides={slidesOf(links)}
          at={open}
          opener={links[open]!}
          icons={icons}
          words={lightbox}
          onView={view}
          onClose={close}
        />
      )}
    </>
  );
}

/** useOpenPicture holds the index of the picture in the lightbox, in sync with the address; undefined for none. */
function useOpenPicture(pictures: number) {
  const [open, setOpen] = useState<number>();
  const pushed = useRef(false); // the open picture has its own history entry

  // A layout effect, because an effect's cleanup waits for a frame, and Back may come before it.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setOpen(pictureIn(location.hash, pictures));
    const path = location.pathname + location.search;
    let samePage = false; // a step within the page
    const onPopState = () => {
      samePage = location.pathname + location.search === path;
      const at = pictureIn(location.hash, pictures);
      pushed.current = at !== undefined;
      setOpen(at);
    };
    addEventListener("popstate", onPopState, { signal });
    // Firefox also fires popstate for steps within a page, which htmx must ignore.
    const skipRestore = (event: Event) => samePage && event.preventDefault();
    document.addEventListener("htmx:before:history:restore", skipRestore, { signal });
    return () => controller.abort();
  }, [pictures]);

  function show(at: number): void {
    if (pushed.current) return; // a second click before the first was handled
    history.pushState(history.state, "", "#" + idOf(at));
    pushed.current = true;
    flushSync(() => setOpen(at));
    grow(at);
  }
  function view(at: number): void {
    if (pictureIn(location.hash, pictures) !== at) history.replaceState(history.state, "", "#" + idOf(at));
    setOpen(at);
  }
  function close(): void {
    if (pushed.current) {
      // The lightbox closes at popstate: a link pressed before the browser has gone back would be left again.
      history.back();
    } else {
      history.replaceState(history.state, "", location.pathname + location.search);
      setOpen(undefined);
    }
    pushed.current = false;
  }
  return { open, show, view, close };
}

/** grow lets the picture of the lightbox grow out of the gallery's. No view transition: in one, WebKit 2.50 ends with a
 *  dialog. */
function grow(at: number): void {
  const from = document.querySelector(`#${idOf(at)} img`)?.getBoundingClientRect();
  const picture = document.querySelector("[data-lightbox] .swiper-slide-active img");
  const to = picture?.getBoundingClientRect();
  if (!from || !to?.width || prefersReducedMotion()) return;
  const x = from.left + from.width / 2 - (to.left + to.width / 2); // between their centres
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const transform = [`translate(${x}px, ${y}px) scale(${from.width / to.width})`, "none"];
  picture!.animate({ transform }, { duration: 320, easing: "cubic-bezier(.2, 0, 0, 1)" });
}

export default island(Gallery);

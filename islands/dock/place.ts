import { type RefObject, useLayoutEffect } from "react";

const focusMargin = 8; // px for a focus ring and a little space

/**
 * usePlace keeps the strip above the keyboard of a phone, and gives the page room for it: its end can be read, and what
 * takes the focus is scrolled clear of the strip.
 */
export function usePlace(strip: RefObject<HTMLElement | null>, drawn: boolean): void {
  useLayoutEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const { style } = document.documentElement; // the body's would not survive a swap
    const viewport = visualViewport;
    const reserveSpace = () => {
      const height = element.offsetHeight;
      style.paddingBottom = height ? `${height}px` : "";
      style.scrollPaddingBottom = height ? `${height + focusMargin}px` : "";
    };
    const avoidKeyboard = () => {
      if (!viewport) return;
      const keyboard = innerHeight - viewport.height - viewport.offsetTop;
      element.style.bottom = viewport.scale === 1 && keyboard > 1 ? `${keyboard}px` : "";
    };
    const observer = new ResizeObserver(reserveSpace);
    observer.observe(element);
    const controller = new AbortController();
    for (const type of ["resize", "scroll"])
      viewport?.addEventListener(type, avoidKeyboard, { signal: controller.signal });
    avoidKeyboard();
    return () => {
      observer.disconnect();
      controller.abort();
      style.paddingBottom = style.scrollPaddingBottom = "";
    };
  }, [strip, drawn]);
}

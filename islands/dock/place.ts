import { type RefObject, useLayoutEffect } from "react";

const ring = 8; // px for a focus ring and a little space

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
    const room = () => {
      const height = element.offsetHeight;
      style.paddingBottom = height ? `${height}px` : "";
      style.scrollPaddingBottom = height ? `${height + ring}px` : "";
    };
    const lift = () => {
      if (!viewport) return;
      const keyboard = innerHeight - viewport.height - viewport.offsetTop;
      element.style.bottom = viewport.scale === 1 && keyboard > 1 ? `${keyboard}px` : "";
    };
    const observer = new ResizeObserver(room);
    observer.observe(element);
    const left = new AbortController();
    for (const change of ["resize", "scroll"])
      viewport?.addEventListener(change, lift, { signal: left.signal });
    lift();
    return () => {
      observer.disconnect();
      left.abort();
      style.paddingBottom = style.scrollPaddingBottom = "";
    };
  }, [drawn]);
}

// On a profile that was opened from a list, the arrow keys and swiping over the name lead to the neighbours.
import type { Mount } from "../island";

const minSwipe = 48; // px that a finger moves sideways

// Elements that use the arrow keys themselves.
const arrowKeyUsers = "input, select, textarea, dialog, [data-island=gallery], [data-island=videos]";

const walk: Mount = (root) => {
  const gone = new AbortController();
  const { signal } = gone;
  const step = (rel: "prev" | "next") =>
    root.parentElement!.querySelector<HTMLElement>(`[rel="${rel}"]`)?.click();

  document.addEventListener(
    "keydown",
    (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.defaultPrevented || (event.target as Element).closest(arrowKeyUsers)) return;
      if (event.key === "ArrowLeft") step("prev");
      if (event.key === "ArrowRight") step("next");
    },
    { signal },
  );

  const name = document.querySelector<HTMLElement>("main header");
  let from: Touch | undefined;
  name?.addEventListener(
    "touchstart",
    ({ touches }) => (from = touches.length === 1 ? touches[0] : undefined),
    { passive: true, signal },
  );
  name?.addEventListener(
    "touchend",
    ({ changedTouches: [to] }) => {
      if (!from || !to) return;
      const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
      if (Math.abs(x) > Math.max(minSwipe, 2 * Math.abs(y))) step(x > 0 ? "prev" : "next");
    },
    { signal },
  );
  return Promise.resolve({ update() {}, unmount: () => gone.abort() });
};

export default walk;

// On a profile that was opened from a list, the arrow keys and swiping over the name lead to the neighbours.
import { isPlain } from "../plain";

const minSwipe = 48; // px that a finger moves sideways

// Elements that use the arrow keys themselves.
const arrowKeyUsers = "input, select, textarea, dialog, [data-island=gallery], [data-island=videos]";

const step = (rel: "prev" | "next") => document.querySelector<HTMLElement>(`.walk [rel="${rel}"]`)?.click();

export function walk(): void {
  document.addEventListener("keydown", (event) => {
    if (!isPlain(event) || event.defaultPrevented) return;
    if ((event.target as Element).closest(arrowKeyUsers)) return;
    if (event.key === "ArrowLeft") step("prev");
    if (event.key === "ArrowRight") step("next");
  });
  let from: Touch | undefined;
  document.addEventListener(
    "touchstart",
    ({ target, touches }) => {
      const onName = touches.length === 1 && (target as Element).closest("main header");
      from = onName ? touches[0] : undefined;
    },
    { passive: true },
  );
  document.addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from || !to) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(x) > Math.max(minSwipe, 2 * Math.abs(y))) step(x > 0 ? "prev" : "next");
  });
}

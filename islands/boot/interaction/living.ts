// A cover becomes a short silent video while the pointer rests on its card or, on a touch screen, once when the
// scrolling ends with the card in the middle of the screen. Not with reduced motion, and not with data saver.

const rest = 200; // ms
const longest = 5000; // ms that a video plays which nobody asked for by pointing

let playing: HTMLElement | undefined;
let video: HTMLVideoElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** play plays the living cover of a card, and ends the one before. */
function play(card: HTMLElement | undefined | null, pointed: boolean): void {
  clearTimeout(timer);
  if (card === playing) return;
  video?.remove();
  playing = video = undefined;
  const cover = card?.querySelector("picture, img");
  if (!card || !cover) return;
  const made = document.createElement("video");
  const end = () => made.remove();
  made.className = "absolute inset-0 size-full object-cover";
  made.muted = made.playsInline = true;
  made.loop = pointed;
  made.src = card.dataset.living!;
  made.setAttribute("aria-hidden", "true");
  made.onerror = made.onended = end;
  cover.before(made); // below the frames of scrub.ts
  void made.play().catch(end);
  if (!pointed) timer = setTimeout(end, longest);
  [playing, video] = [card, made];
}

const cardOf = (node: EventTarget | null) =>
  node instanceof Element ? node.closest<HTMLElement>("[data-living]") : undefined;

function soon(find: () => HTMLElement | undefined | null, pointed: boolean): void {
  clearTimeout(timer);
  timer = setTimeout(() => play(find(), pointed), rest);
}

/** living adds the event listeners for all cards, and begins with the one that is there already. */
export function living(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (matchMedia("(hover: hover)").matches) {
    const point = (node: EventTarget | null) => soon(() => cardOf(node), true);
    point(document.querySelector("[data-living]:hover"));
    document.addEventListener("pointerover", ({ target }) => point(target));
    return;
  }
  const middle = () =>
    [0.25, 0.75].map((x) => cardOf(document.elementFromPoint(innerWidth * x, innerHeight / 2))).find(Boolean);
  soon(middle, false);
  document.addEventListener("scroll", () => soon(middle, false), { passive: true });
}

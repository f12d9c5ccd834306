// A cover becomes a short silent video while the pointer rests on its card or, on a touch screen, once when the
// scrolling ends with the card in the middle of the screen. Not with reduced motion, and not with data saver. The video
// comes before the card's other pictures (scrub.ts): these wait until the pointer has moved sideways, and while one of
// them is over the cover the video stands still.

const rest = 200; // ms
const longest = 5000; // ms that a video plays which nobody asked for by pointing
const minMove = 24; // px that the pointer moves sideways before the other pictures are shown

let enabled = false;
let playing: HTMLElement | undefined;
let video: HTMLVideoElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let from: number | undefined; // where the pointer was when the video began
let moved = false; // far enough since

/** holdsCover reports whether a card's other pictures still wait, with the pointer at x. */
export function holdsCover(card: HTMLElement, x: number): boolean {
  if (!enabled || !card.dataset.living) return false;
  if (card !== playing) return true; // the video has yet to begin
  from ??= x;
  moved ||= Math.abs(x - from) > minMove;
  return !moved;
}

/** coverShown says whether a card's cover is shown, and not another picture over it. */
export function coverShown(card: HTMLElement, shown: boolean): void {
  if (card !== playing || !video?.isConnected || video.paused !== shown) return;
  if (shown) void video.play().catch(() => {});
  else video.pause();
}

/** play plays the living cover of a card, and ends the one before. */
function play(card: HTMLElement | undefined | null, pointed: boolean): void {
  clearTimeout(timer);
  if (card === playing) return;
  video?.remove();
  playing = video = from = undefined;
  moved = false;
  const cover = card?.querySelector("picture, img");
  if (!card || !cover) return;
  const made = document.createElement("video");
  const end = () => {
    made.remove();
    if (video === made) moved = true;
  };
  made.className = "absolute inset-0 size-full object-cover";
  made.muted = made.playsInline = true;
  made.loop = pointed;
  made.src = card.dataset.living!;
  made.setAttribute("aria-hidden", "true");
  made.onerror = made.onended = end;
  cover.before(made); // below the frames of scrub.ts
  void made.play().catch(({ name }: Error) => name === "AbortError" || end()); // paused before it has begun
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
  enabled = true;
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

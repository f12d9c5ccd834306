// A card shows more than its cover: by the pointer's position from left to right, by a swipe or by the arrow keys. The
// frames (views/frames.templ) are loaded at the first interaction with each card.

const resting = 100; // ms that the pointer must be on a card before its frames are loaded: it may only pass
const far = 32; // px that a finger moves sideways

interface Place {
  clientX: number;
  clientY: number;
}

const own = "article[data-talent]:not(main > article)"; // not a profile
const fetching = new WeakMap<HTMLElement, Promise<void>>();

const framesOf = (card: HTMLElement) => [...card.querySelectorAll<HTMLElement>("[data-frame]")];
const cardOf = ({ target }: Event) =>
  (target instanceof Element && target.closest<HTMLElement>(own)) || undefined;

async function fetchFrames(card: HTMLElement): Promise<void> {
  const cover = card.querySelector("picture, img");
  const link = card.querySelector<HTMLAnchorElement>(":is(h2, h3) a");
  if (!cover || !link) return;
  const answer = await fetch(`${link.pathname}/frames`);
  if (!answer.ok) return;
  cover.insertAdjacentHTML("afterend", await answer.text());
  card.style.touchAction = "pan-y pinch-zoom"; // sideways movement is a swipe
}

/** frames are those of a card, loaded once; none if that fails. */
async function frames(card: HTMLElement): Promise<HTMLElement[]> {
  if (framesOf(card).length === 0) {
    if (!fetching.has(card)) fetching.set(card, fetchFrames(card));
    await fetching.get(card)!.catch(() => undefined);
    fetching.delete(card);
  }
  return framesOf(card);
}

/** show brings a frame of a card to the top. While its picture loads, those below it are visible. */
function show(card: HTMLElement, at: number): void {
  framesOf(card).forEach((frame, i) => (frame.hidden = i > Math.max(0, at)));
}

async function step(card: HTMLElement, by: number): Promise<void> {
  const all = await frames(card);
  const at = all.filter(({ hidden }) => !hidden).length - 1;
  show(card, Math.min(at + by, all.length - 1));
}

let over: HTMLElement | undefined;
let at: Place;
let rest: ReturnType<typeof setTimeout> | undefined;

function point(event: PointerEvent): void {
  if (event.pointerType === "touch") return;
  at = event;
  const card = cardOf(event);
  if (card !== over) {
    leave();
    over = card;
    if (card) rest = setTimeout(() => void frames(card).then(follow), resting);
  }
  follow();
}

/** follow shows the frame for the pointer's position: the first of three on the first third. */
function follow(): void {
  if (!over) return;
  const all = framesOf(over);
  const { left, top, bottom, width } = all[0]?.getBoundingClientRect() ?? new DOMRect();
  const inside = at.clientY >= top && at.clientY < bottom;
  show(over, inside ? Math.floor(((at.clientX - left) / width) * all.length) : 0);
}

function leave(): void {
  clearTimeout(rest);
  if (over) show(over, 0);
  over = undefined;
}

let from: Place | undefined;

function touch(event: TouchEvent): void {
  from = event.touches.length === 1 ? event.touches[0] : undefined;
  const card = cardOf(event);
  if (card) void frames(card);
}

function lift(event: TouchEvent): void {
  const [card, to] = [cardOf(event), event.changedTouches[0]];
  if (!card || !from || !to) return;
  const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
  if (Math.abs(x) > Math.max(far, 2 * Math.abs(y))) void step(card, x > 0 ? -1 : 1);
}

const keys: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

function press(event: KeyboardEvent): void {
  const [card, by] = [cardOf(event), keys[event.key]];
  if (!card || !by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(event.target as Element).matches(":is(h2, h3) a")) return;
  event.preventDefault();
  void step(card, by);
}

function blur(event: FocusEvent): void {
  const card = cardOf(event);
  if (card && card !== over) show(card, 0);
}

const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;

/** scrub adds the event listeners for all cards. */
export function scrub(): void {
  if (saving) return;
  document.addEventListener("pointermove", point, { passive: true });
  document.documentElement.addEventListener("pointerleave", leave);
  document.addEventListener("touchend", lift, { passive: true });
  document.addEventListener("keydown", press);
  document.addEventListener("focusout", blur);
}

/** start handles the interaction that loaded this script. */
export function start(event: Event): void {
  if (saving) return;
  if (event.type === "pointerover") point(event as PointerEvent);
  if (event.type === "touchstart") touch(event as TouchEvent);
}

// A card shows more than its cover: by the pointer's position over it from left to right, by a swipe or by the arrow
// keys. The frames (views/frames.templ) are loaded when a pointer rests on the picture, or at the first such movement.

const hoverDelay = 100; // ms that the pointer must be on a card before its frames are loaded, as it may only cross it
const minMove = 10; // px that a finger moves sideways before they are
const minSwipe = 32; // px that a finger moves sideways

interface Point {
  clientX: number;
  clientY: number;
}

const cardSelector = "article[data-talent]:not(main > article)"; // not a profile
const fetching = new WeakMap<HTMLElement, Promise<void>>();

const framesOf = (card: HTMLElement) => [...card.querySelectorAll<HTMLElement>("[data-frame]")];
const cardOf = ({ target }: Event) =>
  (target instanceof Element && target.closest<HTMLElement>(cardSelector)) || undefined;

async function fetchFrames(card: HTMLElement): Promise<void> {
  const cover = card.querySelector("picture, img");
  const link = card.querySelector<HTMLAnchorElement>(":is(h2, h3) a");
  if (!cover || !link) return;
  const response = await fetch(`${link.pathname}/frames`);
  if (!response.ok) return;
  const { default: htmx } = await import("htmx.org");
  await htmx.swap({ sourceElement: card, target: cover, swap: "afterend", text: await response.text() });
  card.style.touchAction = "pan-y pinch-zoom"; // sideways movement is a swipe
}

/** frames returns the frames of a card, loaded once; none if that fails. */
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

let hovered: HTMLElement | undefined;
let pointer: Point;
let hoverTimer: ReturnType<typeof setTimeout> | undefined;

function onPointer(event: PointerEvent): void {
  if (event.pointerType === "touch") return;
  pointer = event;
  const card = cardOf(event);
  if (card !== hovered) {
    onLeave();
    hovered = card;
    if (card) hoverTimer = setTimeout(() => void frames(card).then(showFrameAtPointer), hoverDelay);
  }
  showFrameAtPointer();
}

/** showFrameAtPointer shows the first of three frames if the pointer is in the left third, and so on. */
function showFrameAtPointer(): void {
  if (!hovered) return;
  const all = framesOf(hovered);
  const { left, top, bottom, width } = all[0]?.getBoundingClientRect() ?? new DOMRect();
  const inside = pointer.clientY >= top && pointer.clientY < bottom;
  show(hovered, inside ? Math.floor(((pointer.clientX - left) / width) * all.length) : 0);
}

function onLeave(): void {
  clearTimeout(hoverTimer);
  if (hovered) show(hovered, 0);
  hovered = undefined;
}

let touchStart: Point | undefined;

function onTouchStart(event: TouchEvent): void {
  touchStart = event.touches.length === 1 ? event.touches[0] : undefined;
}

function onTouchMove(event: TouchEvent): void {
  const [card, touch] = [cardOf(event), event.touches[0]];
  if (!card || !touchStart || !touch || framesOf(card).length > 0) return;
  const [x, y] = [touch.clientX - touchStart.clientX, touch.clientY - touchStart.clientY];
  if (Math.abs(x) > Math.max(minMove, Math.abs(y))) void frames(card);
}

function onTouchEnd(event: TouchEvent): void {
  const [card, touchEnd] = [cardOf(event), event.changedTouches[0]];
  if (!card || !touchStart || !touchEnd) return;
  const [x, y] = [touchEnd.clientX - touchStart.clientX, touchEnd.clientY - touchStart.clientY];
  if (Math.abs(x) > Math.max(minSwipe, 2 * Math.abs(y))) void step(card, x > 0 ? -1 : 1);
}

const keys: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

function onKeyDown(event: KeyboardEvent): void {
  const [card, by] = [cardOf(event), keys[event.key]];
  if (!card || !by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(event.target as Element).matches(":is(h2, h3) a")) return;
  event.preventDefault();
  void step(card, by);
}

function onFocusOut(event: FocusEvent): void {
  const card = cardOf(event);
  if (card && card !== hovered) show(card, 0);
}

const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;

/** scrub adds the event listeners for all cards. */
export function scrub(): void {
  if (savesData) return;
  document.addEventListener("pointermove", onPointer, { passive: true });
  document.documentElement.addEventListener("pointerleave", onLeave);
  document.addEventListener("touchstart", onTouchStart, { passive: true });
  document.addEventListener("touchmove", onTouchMove, { passive: true });
  document.addEventListener("touchend", onTouchEnd, { passive: true });
  document.addEventListener("keydown", onKeyDown);
  document.addEventListener("focusout", onFocusOut);
}

/** startScrub takes the event with which this script was loaded. */
export function startScrub(event: Event): void {
  if (savesData) return;
  if (event.type === "pointerover") onPointer(event as PointerEvent);
  if (event.type === "touchstart") onTouchStart(event as TouchEvent);
}

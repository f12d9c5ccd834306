// The picture of a pressed card grows into the first one of the profile, and shrinks back on return: a view transition
// around htmx's swap. Only the picture is part of it; the rest of the page changes as with any other navigation.

interface Context {
  sourceElement: Element;
  target: Element;
  fetch: typeof fetch;
}

/** Step is the current history navigation, in the Navigation API, for which TypeScript has no types yet. */
type Step = { finished: Promise<void> } | null | undefined;
interface Navigation extends EventTarget {
  transition: Step;
}
interface NavigateEvent extends Event {
  hasUAVisualTransition?: boolean; // the browser has already animated it, as after a swipe
}

const style = `
  :root { view-transition-name: none }
  ::view-transition { pointer-events: none }
  ::view-transition-group(picture) {
    animation-duration: 320ms; animation-timing-function: cubic-bezier(.2, 0, 0, 1)
  }
  ::view-transition-old(picture), ::view-transition-new(picture) {
    height: 100%; overflow: clip; object-fit: cover; object-position: 50% 20%
  }`;

const { navigation } = window as { navigation?: Navigation };
const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const context = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;

let browserAnimates = false; // the current navigation
let namedPicture: HTMLElement | undefined; // the picture in the transition
let latest: ViewTransition | undefined;
const onSwapped = new WeakMap<Context, () => void>();

function setTransitionPicture(picture?: HTMLElement): void {
  namedPicture?.style.removeProperty("view-transition-name");
  namedPicture = picture;
  if (picture) picture.style.viewTransitionName = "picture";
}

/** pictureOf is the visible picture of a talent's card, or the profile's first one. */
function pictureOf(talent: string): HTMLImageElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("main [data-talent]")];
  const element = all.find(({ dataset }) => dataset.talent === talent);
  const frames = element?.querySelectorAll<HTMLImageElement>("[data-frame]:not([hidden]) img") ?? [];
  const picture = [...frames].at(-1) ?? element?.querySelector("img");
  const { top, bottom, left, right } = picture?.getBoundingClientRect() ?? new DOMRect();
  return picture && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth ? picture : undefined;
}

/** runTransition resolves when the old picture is captured, so that the page may be swapped. */
function runTransition(ctx: Context, step: Step, talent: string, from: HTMLImageElement): Promise<void> {
  setTransitionPicture(from);
  const done = new Promise<void>((done) => onSwapped.set(ctx, done));
  return new Promise((captured) => {
    const transition = document.startViewTransition(async () => {
      captured();
      await done;
      await step?.finished.catch(() => undefined); // the list is then at its earlier position
      setTransitionPicture(pictureOf(talent));
    });
    latest = transition;
    void transition.finished.finally(() => latest === transition && setTransitionPicture());
  });
}

export function transition(): void {
  if (!("startViewTransition" in document)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
  navigation?.addEventListener("navigate", (event) => {
    browserAnimates = Boolean((event as NavigateEvent).hasUAVisualTransition);
  });
  document.addEventListener("htmx:before:request", (event) => {
    const ctx = context(event);
    const isAnimated = browserAnimates;
    browserAnimates = false;
    if (ctx.target !== document.body || isAnimated || prefersReducedMotion.matches) return;
    const card = ctx.sourceElement.closest<HTMLElement>("[data-talent]:not(main > article)");
    const profile = document.querySelector<HTMLElement>("main > article[data-talent]");
    const talent = (card ?? profile)?.dataset.talent;
    if (!talent) return;
    const marker = card ? "data-gallery" : `id="t${talent}"`;
    const step = navigation?.transition;
    const { fetch } = ctx;
    ctx.fetch = async (...request) => {
      const response = await fetch(...request);
      const page = await response.clone().text(); // read before rendering stops
      const from = pictureOf(talent);
      if (from?.complete && page.includes(marker)) await runTransition(ctx, step, talent, from);
      return response;
    };
  });
  document.addEventListener("htmx:finally:request", (event) => onSwapped.get(context(event))?.());
}

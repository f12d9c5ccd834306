// The picture of a pressed card grows into the first one of the profile, and shrinks back on return: a view transition
// around htmx's swap. Only the picture is part of it; the rest of the page changes as with any other navigation.

interface Context {
  sourceElement: Element;
  target: Element;
  fetch: typeof fetch;
}

const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const context = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;

const hide = (element: HTMLElement) => (element.hidden = true);

let browserAnimates = false; // the current navigation
let namedPicture: HTMLElement | undefined; // the picture in the transition
let latest: ViewTransition | undefined;
const onSwapped = new WeakMap<Context, () => void>();

function setTransitionPicture(picture?: HTMLElement): void {
  namedPicture?.style.removeProperty("view-transition-name");
  namedPicture = picture;
  if (picture) picture.style.viewTransitionName = "picture";
}

/** pictureOf is the cover on a talent's card, or the profile's first picture, if it is on the screen. */
function pictureOf(talent: string): HTMLImageElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("main [data-talent]")];
  const element = all.find(({ dataset }) => dataset.talent === talent);
  const picture = element?.querySelector("img");
  const { top, bottom, left, right } = picture?.getBoundingClientRect() ?? new DOMRect();
  return picture && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth ? picture : undefined;
}

/** runTransition resolves when the old picture is captured, so that the page may be swapped. */
function runTransition(ctx: Context, talent: string, from: HTMLImageElement): Promise<void> {
  setTransitionPicture(from);
  // The cover flies, which becomes the profile's first picture, whatever else was shown over it.
  from.closest("[data-talent]")!.querySelectorAll<HTMLElement>("[data-frame] ~ [data-frame]").forEach(hide);
  const done = new Promise<void>((done) => onSwapped.set(ctx, done));
  return new Promise((captured) => {
    const transition = document.startViewTransition(async () => {
      captured();
      await done;
      setTransitionPicture(pictureOf(talent));
    });
    latest = transition;
    void transition.finished.finally(() => latest === transition && setTransitionPicture());
  });
}

export function transition(): void {
  if (!("startViewTransition" in document)) return;
  addEventListener("popstate", (event) => {
    // The browser has already animated it, as after a swipe.
    browserAnimates = Boolean((event as { hasUAVisualTransition?: boolean }).hasUAVisualTransition);
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
    const { fetch } = ctx;
    ctx.fetch = async (...request) => {
      const response = await fetch(...request);
      const page = await response.clone().text(); // read before rendering stops
      const from = pictureOf(talent);
      if (from?.complete && page.includes(marker)) await runTransition(ctx, talent, from);
      return response;
    };
  });
  document.addEventListener("htmx:finally:request", (event) => onSwapped.get(context(event))?.());
}

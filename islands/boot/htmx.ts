// htmx is loaded after the first paint: its 12 KB would take the line from the style sheet, the typeface and the first
// picture. Links are plain links until then, but a click waits a moment for it.
import type { default as Htmx } from "htmx.org";
import { reload } from "./island";
import { firstPaint } from "./paint";

const patience = 300; // ms: longer, a plain navigation is sooner

let loaded: Promise<typeof Htmx> | undefined;

async function load(): Promise<typeof Htmx> {
  const { default: htmx } = await import("htmx.org");
  // A step back before that changed the address, but not the page.
  const [visit] = performance.getEntriesByType("navigation");
  if (visit && visit.name.split("#")[0] !== location.href.split("#")[0]) reload();
  // The component renders the content of its island; a morph only gives it new props.
  htmx.config.morphSkipChildren = "zed-island[data-mounted]";
  htmx.config.morphIgnore.push("data-mounted", "open"); // the visitor opens details
  await new Promise((resolve) => setTimeout(resolve)); // htmx looks at the page in a task of its own
  return htmx;
}

/** htmx resolves once it has found the links of the page; never, if it could not be loaded: they stay plain links. */
export function htmx(): Promise<typeof Htmx> {
  return (loaded ??= load().catch(() => new Promise(() => {})));
}

export function navigation(): void {
  const held = new AbortController();
  let clicked: HTMLElement | undefined;
  const release = () => held.abort();
  const start = () => void htmx().then(release);
  void firstPaint().then(start);
  held.signal.addEventListener("abort", () => clicked?.click());
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLElement>("a[href]:not([href^='#'])");
      if (!link || event.defaultPrevented) return; // an island holds it, too, or it leads back
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      clicked = link;
      start();
      setTimeout(release, patience);
    },
    { capture: true, signal: held.signal },
  );
}

// An island is a part of the page that a React component makes interactive:
//
//   <zed-island data-island="gallery" src="/static/gallery-….js" when="interaction" props="{…}">…</zed-island>
//
// Its content works without the script. The element loads the script when it becomes visible ("visible"), when the
// browser is idle after the first paint ("idle"), once something is saved ("saved"), at the first interaction with the
// page ("anywhere"), or else with itself; a click before the script has loaded is held and repeated after it. The
// component mounts and unmounts with the element, so swaps of the page need no special handling.
import { ids, subscribe } from "../favorites/store";
import { firstPaint } from "./paint";

/** Mount is an island's default export. Its promise resolves when the visitor can use the island. */
export type Mount<Props = unknown> = (root: HTMLElement, props: Props) => Promise<Mounted<Props>>;

interface Mounted<Props = unknown> {
  update(props: Props): void;
  unmount(): void;
}

const reloadGuard = 60_000; // ms
const pageLead = 60; // ms

// A busy browser may never be idle, and the visitor may be waiting.
const idleOptions = { timeout: 200 }; // ms

const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), idleOptions);
    else setTimeout(resolve);
  });

class ZedIsland extends HTMLElement {
  static readonly observedAttributes = ["props"];

  #seen?: IntersectionObserver;
  #mounted?: Promise<Mounted | undefined>;

  connectedCallback(): void {
    if (this.#mounted) return; // the element was only moved
    const when = this.getAttribute("when");
    const linked = document.getElementById(location.hash.slice(1));
    if (when === "idle")
      void firstPaint()
        .then(whenIdle)
        .then(() => this.start());
    else if (when === "saved" && ids().length > 0) this.start();
    else if (when === "visible") {
      this.#seen = new IntersectionObserver(
        (entries) => entries.some((e) => e.isIntersecting) && this.start(),
        { rootMargin: "200px" },
      );
      this.#seen.observe(this);
    } else if (linked && this.contains(linked)) this.start();
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#seen?.disconnect();
      void this.#mounted?.then((island) => island?.unmount());
      this.#mounted = undefined;
    });
  }

  attributeChangedCallback(): void {
    void this.#mounted?.then((island) => island?.update(this.#props));
  }

  /** Whether the script has loaded, or is not needed on this screen. */
  get settled(): boolean {
    const media = this.getAttribute("media");
    return "mounted" in this.dataset || (media !== null && !matchMedia(media).matches);
  }

  get #props(): unknown {
    return JSON.parse(this.getAttribute("props") ?? "{}") as unknown;
  }

  start(): void {
    this.mount().catch((error) => reload() || reportError(error));
  }

  /** mount loads the script and mounts the island; if that fails, the next interaction tries again. */
  async mount(): Promise<void> {
    if (this.settled) return;
    this.#seen?.disconnect();
    this.#mounted ??= this.#fetch();
    await this.#mounted;
  }

  async #fetch(): Promise<Mounted | undefined> {
    try {
      const island = (await load(this.getAttribute("src")!)) as { default: Mount };
      // Many islands of one script would otherwise mount in one long task.
      const when = this.getAttribute("when");
      if (when === "idle" || when === "saved") await whenIdle();
      if (!this.isConnected) return undefined;
      const mounted = await island.default(this, this.#props);
      this.dataset.mounted = "";
      return mounted;
    } catch (error) {
      this.#mounted = undefined;
      throw error;
    }
  }
}

/** islandsAround yields the islands that contain a node, the innermost first. */
function* islandsAround(node: EventTarget | null): Generator<ZedIsland> {
  let island = node instanceof Element ? node.closest<ZedIsland>("zed-island") : null;
  for (; island; island = island.parentElement?.closest<ZedIsland>("zed-island") ?? null) yield island;
}

function onInteraction(event: Event): void {
  const { type } = event;
  if (type === "pointerover" && (event as PointerEvent).pointerType === "touch") return; // before touchstart
  for (const island of islandsAround(event.target)) island.start();
  // A mouse may have been there since before the page.
  if (type !== "pointerover")
    document.querySelectorAll<ZedIsland>("zed-island[when=anywhere]").forEach((island) => island.start());
  if ((event.target as Element).closest("a, [data-talent], #finder"))
    // The page of a pressed link is fetched meanwhile (intent.ts), and has the line first.
    setTimeout(
      () => {
        import("./interaction").then(({ start }) => start(event)).catch(() => {}); // a link stays a link
      },
      type === "touchstart" ? pageLead : 0,
    );
}

let leaving = false; // the page: browsers give up the scripts that are still on their way
let loading = 0;
const leave = () => (leaving = true);

/** load imports a script. The page is watched meanwhile only: Firefox never keeps a page that listens to its unload. */
async function load(src: string): Promise<unknown> {
  addEventListener("beforeunload", leave);
  loading++;
  try {
    return await import(src);
  } finally {
    if (--loading === 0) removeEventListener("beforeunload", leave);
  }
}

const failedIslands = new WeakSet<ZedIsland>(); // their scripts could not be loaded

function holdClick(event: MouseEvent): void {
  const target = (event.target as Element).closest<HTMLElement>("zed-island :is(a, button)");
  const [island] = islandsAround(target);
  if (
    !target ||
    !island ||
    island.settled ||
    failedIslands.has(island) ||
    event.defaultPrevented ||
    event.button
  )
    return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  void island
    .mount()
    .catch((error) => {
      failedIslands.add(island); // fall back to the plain link
      if (!reload()) reportError(error);
    })
    .then(() => target.isConnected && !leaving && target.click());
}

// reload reloads the page if a script is gone, as after a release, or if it is another page than the address says: at
// most once a minute, and not without a connection or while the visitor goes to another page.
export function reload(): boolean {
  if (leaving) return true;
  try {
    const last = Number(sessionStorage["reloaded"]);
    if (!navigator.onLine || Date.now() - last < reloadGuard) return false;
    sessionStorage["reloaded"] = Date.now();
  } catch {
    return false; // without storage it could reload again and again
  }
  location.reload();
  return true;
}

export function islands(): void {
  customElements.define("zed-island", ZedIsland);
  addEventListener("pageshow", () => (leaving = false));
  for (const type of ["pointerover", "focusin", "touchstart", "click"])
    document.addEventListener(type, onInteraction, { passive: true });
  document.addEventListener("click", holdClick, true);
  subscribe(() => {
    if (ids().length === 0) return;
    document.querySelectorAll<ZedIsland>("zed-island[when=saved]").forEach((island) => island.start());
  });
}

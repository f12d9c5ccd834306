// An island is a part of the page that a React component makes interactive:
//
//   <zed-island data-island="gallery" src="/static/gallery-….js" when="interaction" props="{…}">…</zed-island>
//
// Its content works without the script. The element loads the script when it becomes visible ("visible"), once
// the document is painted ("painted"), or at the first interaction with it. The component mounts and unmounts with the
// element, so swaps of the page need no special handling. If the script can't be had, as after a release, the content
// stays as the server drew it.
import { isPlain } from "../plain";
import { painted } from "./paint";

/** Mount is an island's default export. Its promise resolves when the visitor can use the island. */
export type Mount<Props = unknown> = (root: HTMLElement, props: Props) => Promise<Mounted<Props>>;

interface Mounted<Props = unknown> {
  update(props: Props): void;
  unmount(): void;
}

const pageLead = 60; // ms

class ZedIsland extends HTMLElement {
  static readonly observedAttributes = ["props"];

  #seen?: IntersectionObserver;
  #mounted?: Promise<Mounted | undefined>;

  connectedCallback(): void {
    if (this.#mounted) return; // the element was only moved
    const when = this.getAttribute("when");
    const linked = document.getElementById(location.hash.slice(1));
    if (linked && this.contains(linked)) void this.start();
    else if (when === "painted") void painted.then(() => this.start());
    else if (when === "visible") {
      this.#seen = new IntersectionObserver(
        (entries) => entries.some((e) => e.isIntersecting) && void this.start(),
        { rootMargin: "200px" },
      );
      this.#seen.observe(this);
    }
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

  get #props(): unknown {
    return JSON.parse(this.getAttribute("props") ?? "{}") as unknown;
  }

  /** start loads the script, if this screen needs it, and mounts the island. It never fails. */
  async start(): Promise<void> {
    this.#seen?.disconnect();
    const media = this.getAttribute("media");
    if (!media || matchMedia(media).matches) await (this.#mounted ??= this.#mount());
  }

  async #mount(): Promise<Mounted | undefined> {
    const script = import(this.getAttribute("src")!) as Promise<{ default: Mount }>;
    const island = await script.catch(() => undefined); // gone, or the visitor goes to another page
    if (!this.isConnected) return undefined;
    const mounted = await island?.default(this, this.#props).catch((error: unknown) => reportError(error));
    this.dataset[mounted ? "mounted" : "failed"] = "";
    if (mounted) return mounted;
    this.#mounted = undefined; // the next interaction tries again
    return undefined;
  }
}

function onInteraction(event: Event): void {
  const { target, type } = event;
  if (type === "pointerover" && (event as PointerEvent).pointerType === "touch") return; // before touchstart
  void (target as Element).closest<ZedIsland>("zed-island")?.start();
  if ((target as Element).closest("a, [data-talent], #finder"))
    // The page of a pressed link is fetched meanwhile (intent.ts), and has the line first.
    setTimeout(
      () => {
        import("./interaction").then(({ start }) => start(event)).catch(() => {}); // a link stays a link
      },
      type === "touchstart" ? pageLead : 0,
    );
}

/**
 * waitForScript lets a click on an island that is loaded at the first interaction wait for it, because that may be this
 * click, and a page has no room for all scripts before. All other islands work by their markup until theirs is here.
 */
function waitForScript(event: MouseEvent): void {
  const island = "zed-island[when=interaction]:not([data-mounted], [data-failed])";
  const target = (event.target as Element).closest<HTMLElement>(`${island} :is(a, button)`);
  if (!target || !isPlain(event)) return;
  event.preventDefault();
  event.stopPropagation();
  void target
    .closest<ZedIsland>(island)!
    .start()
    .then(() => target.isConnected && target.click());
}

export function islands(): void {
  customElements.define("zed-island", ZedIsland);
  for (const type of ["pointerover", "focusin", "touchstart", "click"])
    document.addEventListener(type, onInteraction, { passive: true });
  document.addEventListener("click", waitForScript, true);
}

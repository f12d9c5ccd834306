// An island is a part of the page that a script of its own makes livelier:
//
//   <zed-island data-island="lightbox" src="/static/lightbox-….js" when="interaction">…</zed-island>
//
// What is inside works without the script. The element fetches it when the part is seen ("visible"),
// when the browser has nothing else to do ("idle"), or else at the visitor's first interest; a click
// that comes before the script is held and given again after it. It mounts and unmounts with the
// element, so that no swap of the page needs to tell it anything.

/** Mount is an island's default export. What it returns is called when the island leaves the page. */
export type Mount<Props = unknown> = (root: HTMLElement, props: Props) => (() => void) | void;

const reloadGuard = 60_000;

const idle = () => new Promise<void>((go) => (globalThis.requestIdleCallback ?? setTimeout)(() => go()));

class ZedIsland extends HTMLElement {
  #waits = new AbortController();
  #mounted?: Promise<void>;
  #unmount?: (() => void) | void;

  connectedCallback(): void {
    const { signal } = (this.#waits = new AbortController());
    const when = this.getAttribute("when");
    const start = () => void this.#start().catch((error) => reload() || reportError(error));
    const linked = document.getElementById(location.hash.slice(1));
    if (when === "idle") {
      void idle().then(start);
    } else if (when === "visible") {
      const seen = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && start(), {
        rootMargin: "200px",
      });
      seen.observe(this);
      signal.addEventListener("abort", () => seen.disconnect());
    } else if (linked && this.contains(linked)) {
      start();
    }
    for (const interest of ["pointerover", "focusin", "touchstart"])
      this.addEventListener(interest, start, { signal, passive: true });
    this.addEventListener("click", (event) => this.#hold(event), { signal });
  }

  disconnectedCallback(): void {
    this.#waits.abort();
    this.#unmount?.();
    this.#unmount = this.#mounted = undefined;
  }

  get #wanted(): boolean {
    const media = this.getAttribute("media");
    return !media || matchMedia(media).matches;
  }

  async #start(): Promise<void> {
    if (!this.#wanted) return;
    const waits = this.#waits;
    return (this.#mounted ??= import(this.getAttribute("src")!).then(
      async (island: { default: Mount }) => {
        // Two islands of one script would mount in one long task.
        if (this.getAttribute("when") === "idle") await idle();
        if (waits.signal.aborted) return;
        waits.abort();
        this.#unmount = island.default(this, JSON.parse(this.getAttribute("props") ?? "null"));
        this.dataset.mounted = "";
      },
      (error) => {
        this.#mounted = undefined; // the next interest tries again
        throw error;
      },
    ));
  }

  #hold(event: MouseEvent): void {
    const target = (event.target as Element).closest<HTMLElement>("a, button");
    if (!target || !this.#wanted || event.defaultPrevented || event.button) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void this.#start()
      .catch((error) => {
        this.#waits.abort(); // what the link does by itself is the best that is left
        if (!reload()) reportError(error);
      })
      .then(() => target.isConnected && target.click());
  }
}

// reload fetches the page anew where a script is gone, as after a release: at most once a minute
// (specification, sections 8 and 9), and not without a connection.
function reload(): boolean {
  try {
    const last = Number(sessionStorage.getItem("reloaded"));
    if (!navigator.onLine || Date.now() - last < reloadGuard) return false;
    sessionStorage.setItem("reloaded", String(Date.now()));
  } catch {
    return false; // nothing can be remembered, and twice a minute would be too often
  }
  location.reload();
  return true;
}

export function islands(): void {
  customElements.define("zed-island", ZedIsland);
}

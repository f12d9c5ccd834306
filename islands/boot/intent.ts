// The page of a link that the pointer rests on, that is pressed, or that has the keyboard's focus is fetched before the
// click, with the picture that it shows first. htmx then shows that page instead of requesting it again. Nothing is
// fetched with data saver or on a slow connection, nor for links that htmx doesn't follow: downloads, other languages.

const rest = 65; // ms: shorter, the pointer only crosses the link
const maxFetching = 2;
const maxFetched = 10; // pages in memory
const freshFor = 60_000; // ms

interface Fetched {
  at: number;
  abort: AbortController;
  page: Promise<Response | undefined>; // undefined if the click must ask again
}

interface Context {
  request: { action: string; method: string; headers: Record<string, string>; signal: AbortSignal };
  fetch: (action: string, request: RequestInit) => Promise<Response>;
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

const fetched = new Map<string, Fetched>(); // by address, the oldest first
const fetching = new Set<string>();

function isCostly(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return Boolean(connection?.saveData || connection?.effectiveType?.includes("2g"));
}

/** addressOf is the address that htmx will request for the link around a node, if it will and has not yet. */
function addressOf(node: EventTarget | null): string | undefined {
  const link = node instanceof Element ? node.closest<HTMLAnchorElement>("a[href]:not(.htmx-request)") : null;
  if (!(link as { _htmx?: { boosted?: unknown } } | null)?._htmx?.boosted) return undefined;
  const { pathname, search } = link!;
  return pathname + search === location.pathname + location.search ? undefined : pathname + search;
}

const firstPicture = /(?:<picture>(?:(?!<\/picture>).)*)?<img[^>]*fetchpriority="high"[^>]*>/s;

/** loadFirstPicture loads the picture that a page shows first, in the size that this screen needs. */
function loadFirstPicture(page: string): void {
  const [html] = firstPicture.exec(page) ?? [];
  if (!html) return;
  const picture = new DOMParser().parseFromString(html, "text/html");
  const source = picture.querySelector<HTMLSourceElement | HTMLImageElement>("source, img")!;
  const link = document.createElement("link"); // an image out of the document would leak
  link.rel = "preload";
  link.as = "image";
  if ("type" in source) link.type = source.type;
  link.imageSrcset = source.srcset;
  link.imageSizes = source.sizes;
  link.onload = link.onerror = () => link.remove();
  document.head.append(link);
}

async function fetchPage(address: string, signal: AbortSignal): Promise<Response | undefined> {
  const headers = {
    "HX-Request": "true",
    "HX-Request-Type": "full",
    "HX-Boosted": "true",
    "HX-Preloaded": "true",
  };
  const response = await fetch(address, { headers: { ...headers, Accept: "text/html" }, signal });
  if (!response.ok || response.redirected) return undefined;
  const text = await response.text();
  // Pictures of minors are loaded only by their own page.
  if (!response.headers.get("X-Robots-Tag")?.includes("noimageindex")) loadFirstPicture(text);
  return new Response(text, { headers: response.headers });
}

function begin(address: string | undefined): void {
  if (!address) return;
  const known = fetched.get(address);
  if ((known && performance.now() - known.at < freshFor) || isCostly()) return;
  if (fetching.size >= maxFetching) cancel([...fetching][0]!); // the pointer has left it
  const abort = new AbortController();
  fetching.add(address);
  const page = fetchPage(address, abort.signal).catch(() => undefined);
  fetched.delete(address);
  if (fetched.size >= maxFetched) cancel([...fetched.keys()][0]!);
  fetched.set(address, { at: performance.now(), abort, page });
  void page.then((got) => {
    if (fetched.get(address)?.abort !== abort) return;
    fetching.delete(address);
    if (!got) fetched.delete(address);
  });
}

function cancel(address: string): void {
  fetched.get(address)?.abort.abort();
  fetched.delete(address);
  fetching.delete(address);
}

/** answer gives htmx the page, and gives it to the service worker, which keeps what was visited. */
async function answer({ page }: Fetched, ctx: Context, fetchAgain: Context["fetch"]): Promise<Response> {
  const { signal } = ctx.request;
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
  );
  const response = await Promise.race([page, aborted]);
  if (!response) return fetchAgain(ctx.request.action, ctx.request);
  const url = new URL(ctx.request.action, location.href).href;
  const text = await response.clone().text();
  navigator.serviceWorker?.controller?.postMessage({ url, text, headers: [...response.headers] });
  return response;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let pressed: string | undefined; // the address of the link that was pressed last

/** soon fetches the page of a link unless the pointer or the focus leaves it at once. */
function soon({ target }: Pick<Event, "target">): void {
  clearTimeout(timer);
  timer = setTimeout(() => begin(addressOf(target)), rest);
}

function press({ target }: Event): void {
  begin((pressed = addressOf(target)));
}

export function intent(): void {
  // The script is there after the first interaction: a link may be under the pointer already, or on its way.
  const link = document.querySelector("a:hover, a:focus-visible");
  if (matchMedia("(hover: hover)").matches) soon({ target: link });
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && soon(event));
  document.addEventListener("focusin", soon);
  document.addEventListener("pointerdown", press);
  // The finger scrolls.
  document.addEventListener("pointercancel", () => pressed && fetching.has(pressed) && cancel(pressed));
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = (event as unknown as CustomEvent<{ ctx: Context }>).detail;
    const { action, method, headers } = ctx.request;
    // What is sent may change the pages.
    if (method !== "GET") for (const known of fetched.keys()) cancel(known);
    const known = fetched.get(action);
    if (!known || headers["HX-Request-Type"] !== "full") return;
    fetched.delete(action);
    fetching.delete(action);
    const { fetch } = ctx;
    if (performance.now() - known.at < freshFor) ctx.fetch = () => answer(known, ctx, fetch);
  });
}

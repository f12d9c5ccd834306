// The service worker. It caches visited profiles and favourites with their pictures, and an offline page in each
// language, for visitors without a connection. Online, only immutable files are answered from the cache. Paths in
// "leave" are ignored, and only pages in "keep" are cached: never a form, and nothing that shows a minor.

/**
 * The configuration that the server prepends to this script (handlers/offline.go). keep and leave are patterns of
 * paths.
 */
declare const offline: {
  version: string;
  pages: Record<string, string>; // by language
  files: string[];
  keep: string[];
  leave: string[];
};

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
/** EarlyPage is a page that islands/boot/intent.ts fetched before it is visited. */
interface EarlyPage {
  url: string;
  text: string;
  headers: [string, string][];
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const maxPages = 40;
const maxPictures = 200;
const prefix = "zedcard-";
const files = `${prefix}${offline.version}-files`;
const pages = `${prefix}${offline.version}-pages`;
const pictures = `${prefix}${offline.version}-pictures`;

const worker = self as unknown as {
  addEventListener(type: string, listener: (event: never) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

const matchesAny = (patterns: string[], path: string) =>
  patterns.some((pattern) => new RegExp(`^${pattern}$`).test(path));
const isPage = (url: URL) => matchesAny(offline.keep, url.pathname);

async function install(): Promise<void> {
  const cache = await caches.open(files);
  await cache.addAll([...Object.values(offline.pages), ...offline.files]);
  await worker.skipWaiting();
}

/** activate removes the caches of earlier versions, whose pages refer to files that are gone. */
async function activate(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && !name.startsWith(`${prefix}${offline.version}-`))
      await caches.delete(name);
  await worker.clients.claim();
}

/**
 * put caches a complete response as the newest one of its address, and removes the oldest responses beyond limit.
 */
async function put(name: string, url: string, response: Response, limit: number): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(url, new Response(await response.blob(), response));
  const cached = await cache.keys();
  for (const old of cached.slice(0, Math.max(0, cached.length - limit))) await cache.delete(old);
}

/**
 * isCacheable reports whether the response is of the requested kind and may be cached by everybody. Pages and pictures
 * of minors have noimageindex and are never cached on a device.
 */
function isCacheable(response: Response, kind: string): boolean {
  const control = response.headers.get("Cache-Control") ?? "";
  const type = response.headers.get("Content-Type") ?? "";
  const robots = response.headers.get("X-Robots-Tag") ?? "";
  return (
    response.status === 200 &&
    !response.redirected &&
    !/no-store|private/.test(control) &&
    !robots.includes("noimageindex") &&
    type.startsWith(kind)
  );
}

/** isWithdrawn reports whether the site no longer shows a page, or no longer lets it be stored. */
const isWithdrawn = (response: Response) =>
  response.status === 404 ||
  response.status === 410 ||
  (response.ok && (response.headers.get("Cache-Control") ?? "").includes("no-store"));

/** drop removes a page from the cache, of a profile in every language and with every gallery. */
async function drop(url: URL): Promise<void> {
  const profile = /\/(?:models|creative)\/[^/]+\//.exec(url.pathname)?.[0];
  const cache = await caches.open(pages);
  for (const { url: cached } of await cache.keys())
    if (cached === url.href || (profile && new URL(cached).pathname.includes(profile)))
      await cache.delete(cached);
}

/** keepPage caches a page that is visited, or drops it if it is withdrawn. */
async function keepPage(url: URL, response: Response): Promise<void> {
  if (!isPage(url)) return;
  if (isWithdrawn(response)) await drop(url);
  else if (isCacheable(response, "text/html")) await put(pages, url.href, response, maxPages);
}

async function pageResponse(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (isPage(url)) event.waitUntil(keepPage(url, response.clone()));
    return response;
  } catch (error) {
    const cached = isPage(url) && (await findCached(pages, url.href));
    if (cached) return cached;
    // A part of a page can't be replaced by the offline page: the page itself shows the error.
    const isWholePage = event.request.mode === "navigate" || event.request.headers.has("HX-Boosted");
    const lang = url.pathname.split("/")[1] ?? "";
    const offlinePage = isWholePage && (await findCached(files, offline.pages[lang] ?? offline.pages.en!));
    if (offlinePage) return offlinePage;
    throw error;
  }
}

const findCached = async (name: string, url: string) =>
  (await caches.open(name)).match(url, { ignoreVary: true });

/** fileResponse is an immutable file from the cache, or from the network. */
async function fileResponse(
  event: FetchEvent,
  url: URL,
  name: string,
  limit: number,
  keep: boolean,
): Promise<Response> {
  const cached = await findCached(name, url.href);
  if (cached) return cached;
  const response = await fetch(event.request);
  if (keep && isCacheable(response, "") && response.headers.get("Cache-Control")?.includes("immutable"))
    event.waitUntil(put(name, url.href, response.clone(), limit));
  return response;
}

function handleFetch(event: FetchEvent): void {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || matchesAny(offline.leave, url.pathname))
    return;
  if (request.headers.has("Range")) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fileResponse(event, url, files, Infinity, true));
  else if (url.pathname.startsWith("/media/"))
    event.respondWith(
      fileResponse(
        event,
        url,
        pictures,
        maxPictures,
        request.referrer !== "" && isPage(new URL(request.referrer)),
      ),
    );
  else if (request.mode === "navigate" || request.headers.has("HX-Request"))
    event.respondWith(pageResponse(event, url));
}

/** cacheFirstPage caches the page that installed this worker, and its files. */
async function cacheFirstPage(addresses: string[]): Promise<void> {
  const [first, ...rest] = addresses.map((address) => new URL(address));
  if (!first || !isPage(first)) return;
  const fetchAndCache = async (url: URL, name: string, kind: string, limit: number) => {
    const response = await fetch(url);
    if (isCacheable(response, kind)) await put(name, url.href, response, limit);
  };
  first.hash = "";
  await fetchAndCache(first, pages, "text/html", maxPages);
  for (const url of rest) {
    if (url.origin !== location.origin) continue;
    if (url.pathname.startsWith("/static/")) await fetchAndCache(url, files, "", Infinity);
    if (url.pathname.startsWith("/media/")) await fetchAndCache(url, pictures, "image/", maxPictures);
  }
}

worker.addEventListener("install", (event: WorkerEvent) => event.waitUntil(install()));
worker.addEventListener("activate", (event: WorkerEvent) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event: FetchEvent) => handleFetch(event));
worker.addEventListener("message", (event: WorkerEvent & { data: string[] | EarlyPage }) => {
  const { data } = event;
  if (Array.isArray(data)) event.waitUntil(cacheFirstPage(data));
  else event.waitUntil(keepPage(new URL(data.url), new Response(data.text, { headers: data.headers })));
});

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
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
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

const on = (patterns: string[], path: string) =>
  patterns.some((pattern) => new RegExp(`^${pattern}$`).test(path));
const isPage = (url: URL) => on(offline.keep, url.pathname);

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
 * put caches a complete answer as the newest, in place of an earlier one, and removes the oldest answers beyond
 * limit.
 */
async function put(name: string, url: string, answer: Response, limit: number): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(url, new Response(await answer.blob(), answer));
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - limit))) await cache.delete(old);
}

/**
 * keepable reports whether the answer is of the requested kind and may be cached by everybody. Pages and pictures of
 * minors have noimageindex and are never cached on a device.
 */
function keepable(answer: Response, kind: string): boolean {
  const control = answer.headers.get("Cache-Control") ?? "";
  const type = answer.headers.get("Content-Type") ?? "";
  const robots = answer.headers.get("X-Robots-Tag") ?? "";
  return (
    answer.status === 200 &&
    !answer.redirected &&
    !/no-store|private/.test(control) &&
    !robots.includes("noimageindex") &&
    type.startsWith(kind)
  );
}

async function page(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const answer = await fetch(event.request);
    if (isPage(url) && keepable(answer, "text/html"))
      event.waitUntil(put(pages, url.href, answer.clone(), maxPages));
    return answer;
  } catch (error) {
    const kept = isPage(url) && (await find(pages, url.href));
    if (kept) return kept;
    // A part of a page can't be replaced by the offline page: the page itself shows the error.
    const whole = event.request.mode === "navigate" || event.request.headers.has("HX-Boosted");
    const lang = url.pathname.split("/")[1] ?? "";
    const instead = whole && (await find(files, offline.pages[lang] ?? offline.pages.en!));
    if (instead) return instead;
    throw error;
  }
}

const find = async (name: string, url: string) => (await caches.open(name)).match(url, { ignoreVary: true });

/** file answers with an immutable file from the cache, or from the network. */
async function file(
  event: FetchEvent,
  url: URL,
  name: string,
  limit: number,
  keep: boolean,
): Promise<Response> {
  const kept = await find(name, url.href);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (keep && keepable(answer, "") && answer.headers.get("Cache-Control")?.includes("immutable"))
    event.waitUntil(put(name, url.href, answer.clone(), limit));
  return answer;
}

function answer(event: FetchEvent): void {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || on(offline.leave, url.pathname)) return;
  if (request.headers.has("Range")) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(event, url, files, Infinity, true));
  else if (url.pathname.startsWith("/media/"))
    event.respondWith(
      file(event, url, pictures, maxPictures, request.referrer !== "" && isPage(new URL(request.referrer))),
    );
  else if (request.mode === "navigate" || request.headers.has("HX-Request"))
    event.respondWith(page(event, url));
}

/** adopt caches the page from which this worker was installed. */
async function adopt(addresses: string[]): Promise<void> {
  const [first, ...rest] = addresses.map((address) => new URL(address));
  if (!first || !isPage(first)) return;
  const take = async (url: URL, name: string, kind: string, limit: number) => {
    const answer = await fetch(url);
    if (keepable(answer, kind)) await put(name, url.href, answer, limit);
  };
  first.hash = "";
  await take(first, pages, "text/html", maxPages);
  for (const url of rest) {
    if (url.origin !== location.origin) continue;
    if (url.pathname.startsWith("/static/")) await take(url, files, "", Infinity);
    if (url.pathname.startsWith("/media/")) await take(url, pictures, "image/", maxPictures);
  }
}

worker.addEventListener("install", (event: WorkerEvent) => event.waitUntil(install()));
worker.addEventListener("activate", (event: WorkerEvent) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event: FetchEvent) => answer(event));
worker.addEventListener("message", (event: WorkerEvent & { data: string[] }) =>
  event.waitUntil(adopt(event.data)),
);

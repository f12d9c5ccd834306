// The page of a link that the pointer rests on, that is pressed, or that has the keyboard's focus is fetched before the
// click, with its style sheet and the picture that it shows first. htmx then shows that page instead of requesting it
// again. Nothing is fetched with data saver or on a slow connection, nor for links that htmx doesn't follow: downloads,
// other languages.
import { headOf } from "./head";
import { isBoosted } from "./htmx";
import { loadSheet } from "./sheet";

const rest = 65; // ms: shorter, the pointer only crosses the link
const maxKept = 4; // pages; the pointer has left the others
const freshFor = 60_000; // ms

interface Early {
  page: Promise<Response | undefined>; // undefined if the click must ask again
  abort: AbortController;
}

interface Context {
  request: { action: string; method: string; headers: Record<string, string>; signal: AbortSignal };
  fetch: (action: string, request: RequestInit) => Promise<Response>;
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

const early = new Map<string, Early>(); // by address, the oldest first

function isCostly(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return Boolean(connection?.saveData || connection?.effectiveType?.includes("2g"));
}

/** addressOf is the address that htmx will request for the link around a node, if it will and has not yet. */
function addressOf(node: EventTarget | null): string | undefined {
  const link = (node as Element).closest?.<HTMLAnchorElement>("a[href]:not(.htmx-request)");
  if (!link || !isBoosted(link)) return undefined;
  const address = link.pathname + link.search;
  return address === location.pathname + location.search ? undefined : address;
}

/** loadPictures loads what a page's head has loaded first (Page.First in views), in the size that this screen needs. */
function loadPictures(page: string): void {
  for (const link of headOf(page).querySelectorAll("link[as=image]")) document.head.append(link);
}

async function fetchPage(address: string, signal: AbortSignal): Promise<Response | undefined> {
  const response = await fetch(address, { signal, redirect: "manual" });
  if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/html")) return undefined;
  const page = await response.text();
  loadPictures(page);
  void loadSheet(page).catch(() => undefined); // the click asks again
  return new Response(page, { headers: response.headers });
}

/** fetchEarly fetches a page that will probably be asked for next. */
export function fetchEarly(address: string | undefined): void {
  if (!address || early.has(address) || isCostly()) return;
  if (early.size >= maxKept) cancel([...early.keys()][0]!);
  const abort = new AbortController();
  const entry: Early = { page: fetchPage(address, abort.signal).catch(() => undefined), abort };
  early.set(address, entry);
  setTimeout(() => early.get(address) === entry && cancel(address), freshFor);
}

function cancel(address: string): void {
  early.get(address)?.abort.abort();
  early.delete(address);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let pressed: string | undefined; // the address of the link that was pressed last

/** soon fetches the page of a link unless the pointer or the focus leaves it at once. */
function soon({ target }: Event): void {
  clearTimeout(timer);
  timer = setTimeout(() => fetchEarly(addressOf(target)), rest);
}

export function intent(): void {
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && soon(event));
  document.addEventListener("focusin", soon);
  document.addEventListener("pointerdown", ({ target }) => fetchEarly((pressed = addressOf(target))));
  // The finger scrolls.
  document.addEventListener("pointercancel", () => pressed && cancel(pressed));
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = (event as unknown as CustomEvent<{ ctx: Context }>).detail;
    const { action, method, headers } = ctx.request;
    if (method !== "GET") early.clear(); // what is sent may change the pages
    const found = early.get(action);
    if (!found || headers["HX-Request-Type"] !== "full") return;
    early.delete(action);
    const { fetch } = ctx;
    ctx.request.signal.addEventListener("abort", () => found.abort.abort());
    ctx.fetch = async () => (await found.page) ?? fetch(action, ctx.request);
  });
}

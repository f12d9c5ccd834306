// The page of a link that the pointer rests on, that is pressed, or that has the keyboard's focus is fetched before the
// click, with its style sheet and the picture that it shows first. htmx then shows that page instead of requesting it
// again. Nothing is fetched with data saver or on a slow connection, nor for links that htmx doesn't follow: downloads,
// other languages.
import { headOf } from "./head";
import { isBoosted } from "./htmx";
import { loadSheet } from "./sheet";

const rest = 65; // ms: shorter, the pointer only crosses the link
const maxFetching = 2;
const freshFor = 60_000; // ms

interface Early {
  page: Promise<Response | undefined>; // undefined if the click must ask again
  abort: AbortController;
  done?: boolean;
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
  const fetching = [...early.keys()].filter((other) => !early.get(other)!.done);
  if (fetching.length >= maxFetching) cancel(fetching[0]!); // the pointer has left it
  const abort = new AbortController();
  const page = fetchPage(address, abort.signal).catch(() => undefined);
  const entry: Early = { page, abort };
  early.set(address, entry);
  void page.then(() => (entry.done = true));
  setTimeout(() => early.get(address) === entry && cancel(address), freshFor);
}

function cancel(address: string): void {
  early.get(address)?.abort.abort();
  early.delete(address);
}

/** answer gives htmx the page. */
async function answer(
  { page, abort }: Early,
  { request }: Context,
  fetchAgain: Context["fetch"],
): Promise<Response> {
  request.signal.addEventListener("abort", () => abort.abort());
  return (await page) ?? fetchAgain(request.action, request);
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
  document.addEventListener("pointercancel", () => pressed && !early.get(pressed)?.done && cancel(pressed));
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = (event as unknown as CustomEvent<{ ctx: Context }>).detail;
    const { action, method, headers } = ctx.request;
    if (method !== "GET") early.clear(); // what is sent may change the pages
    const page = early.get(action);
    if (!page || headers["HX-Request-Type"] !== "full") return;
    early.delete(action);
    const { fetch } = ctx;
    ctx.fetch = () => answer(page, ctx, fetch);
  });
}

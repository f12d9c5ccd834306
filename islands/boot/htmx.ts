// Navigation by htmx, which is loaded after the first pictures: its 12 KB would take the line from them, the style
// sheet and the typeface. Until then, and for all that is no page of the site, links are the browser's.
import type { default as Htmx } from "htmx.org";
import { firstPictures } from "./paint";
import { trusted } from "./trusted";

let loaded: Promise<typeof Htmx> | undefined;

async function load(): Promise<typeof Htmx> {
  const { default: htmx } = await import("htmx.org");
  // A step back before that changed the address, but not the page.
  const [visit] = performance.getEntriesByType("navigation");
  if (visit && visit.name.split("#")[0] !== location.href.split("#")[0]) location.reload();
  // The component renders the content of its island; a morph only gives it new props.
  htmx.config.morphSkipChildren = "zed-island[data-mounted]";
  htmx.config.morphIgnore.push("data-mounted", "open"); // the visitor opens details
  htmx.registerExtension("trusted", { init: (api: Internals) => api.initSecurity(trusted) });
  await new Promise((resolve) => setTimeout(resolve)); // htmx looks at the page in a task of its own
  return htmx;
}

interface Internals {
  initSecurity: (policy: typeof trusted) => void;
}

/** htmx resolves once it has found the links of the page; never, if it could not be loaded: they stay plain links. */
export function htmx(): Promise<typeof Htmx> {
  return (loaded ??= load().catch(() => new Promise(() => {})));
}

/** isBoosted reports whether htmx shows the page of a link in place, by what the link is now (Page.boost in views). */
export function isBoosted(link: HTMLAnchorElement): boolean {
  const inherited = link.closest("[data-hx-boost\\:inherited]")?.getAttribute("data-hx-boost:inherited");
  const boost = link.getAttribute("data-hx-boost") ?? inherited;
  return (
    boost === "true" &&
    link.origin === location.origin &&
    link.matches("a:not([target], [download], [data-hx-get])")
  );
}

interface Context {
  sourceElement: Element;
  request: {
    action: string;
    anchor?: string;
    method: string;
    headers: Record<string, string>;
    redirect?: string;
  };
  response?: { raw: Response };
  text?: string;
}

const contextOf = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;

/** leaveIf gives a navigation back to the browser, if the answer to it is no page of the site. */
function leaveIf(event: Event, isForeign: (context: Context) => boolean): void {
  const context = contextOf(event);
  const { action, anchor, method, headers } = context.request;
  const isPage = headers["HX-Boosted"] ?? headers["HX-History-Restore-Request"];
  if (!isPage || method !== "GET" || !isForeign(context)) return;
  event.preventDefault();
  location.assign(anchor ? `${action}#${anchor}` : action);
}

export function navigation(): void {
  void firstPictures.then(htmx);
  document.addEventListener("htmx:config:request", (event) => {
    const { sourceElement: link, request } = contextOf(event);
    if (!(link instanceof HTMLAnchorElement) || !request.headers["HX-Boosted"]) return;
    request.redirect = "manual"; // the browser follows it, also to another site, and to a place on the page
    if (isBoosted(link)) return;
    event.preventDefault();
    location.assign(link.href);
  });
  document.addEventListener("htmx:before:response", (event) =>
    leaveIf(event, ({ response }) => !response!.raw.headers.get("Content-Type")?.startsWith("text/html")),
  );
  document.addEventListener("htmx:after:request", (event) =>
    leaveIf(event, ({ text }) => !text!.includes('<main id="main"')),
  );
}

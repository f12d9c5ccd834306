// A page that htmx shows in place may have another style sheet. It is loaded beside the present one, before the page is
// shown, and takes its place in the same frame.
import { headOf } from "./head";

const selector = "link[data-sheet]";
const all = () => [...document.querySelectorAll<HTMLLinkElement>(selector)];

/** loadSheet loads a page's style sheet, which does not apply yet, and returns its link; none for a part of a page. */
export async function loadSheet(page: string): Promise<HTMLLinkElement | undefined> {
  const wanted = page.includes("</head>") && headOf(page).querySelector<HTMLLinkElement>(selector);
  if (!wanted) return undefined;
  const present = all().find(({ href }) => href === wanted.href);
  if (present?.sheet) return present;
  const sheet = present ?? wanted;
  if (!present) {
    sheet.media = "not all";
    all()[0]!.before(sheet);
  }
  await new Promise((resolve, reject) => {
    sheet.onload = resolve;
    sheet.onerror = () => {
      sheet.remove(); // the next click asks again
      reject(new Error(sheet.href));
    };
  });
  return sheet;
}

interface Context {
  fetch: (...request: unknown[]) => Promise<Response>;
}

const contextOf = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;
const loaded = new WeakMap<Context, HTMLLinkElement>();

export function sheets(): void {
  document.addEventListener("htmx:before:request", (event) => {
    const context = contextOf(event);
    const { fetch } = context;
    context.fetch = async (...request) => {
      const response = await fetch(...request);
      const sheet = await loadSheet(await response.clone().text());
      if (sheet) loaded.set(context, sheet);
      return response;
    };
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const sheet = loaded.get(contextOf(event));
    if (sheet) for (const link of all()) link.media = link === sheet ? "" : "not all";
  });
}

// A page that htmx shows in place may have another style sheet. It is loaded beside the present one, before the page is
// shown, and takes its place in the same frame.
import { headOf } from "./head";

const selector = "link[data-sheet]";
const all = () => [...document.querySelectorAll<HTMLLinkElement>(selector)];

function sheetOf(page = ""): HTMLLinkElement | null {
  return page.includes("</head>") ? headOf(page).querySelector<HTMLLinkElement>(selector) : null;
}

/** loadSheet loads a page's style sheet, which does not apply yet. */
export async function loadSheet(page: string): Promise<void> {
  const wanted = sheetOf(page);
  const sheet = all().find(({ href }) => href === wanted?.href) ?? wanted;
  if (!sheet || sheet.sheet) return;
  if (sheet === wanted) {
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
}

interface Context {
  fetch: (...request: unknown[]) => Promise<Response>;
  text?: string;
}

const contextOf = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;

export function sheets(): void {
  document.addEventListener("htmx:before:request", (event) => {
    const context = contextOf(event);
    const { fetch } = context;
    context.fetch = async (...request) => {
      const response = await fetch(...request);
      await loadSheet(await response.clone().text());
      return response;
    };
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const sheet = sheetOf(contextOf(event).text);
    if (sheet) for (const link of all()) link.media = link.href === sheet.href ? "" : "not all";
  });
}

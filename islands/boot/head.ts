// Updates the head after a swap of the body, which would leave the previous page's canonical address, alternates and
// description, and the browser's share button and reader mode would use them.
import { firstPictures } from "./paint";
import { trusted } from "./trusted";

const pageTags =
  'link[rel=canonical], link[rel=alternate], meta[name=description], meta[name=robots], meta[property^="og:"]';

/** headOf is the head of a page, out of the document. */
export function headOf(page: string): HTMLHeadElement {
  const head = trusted.createHTML(page.slice(0, page.indexOf("</head>")));
  return new DOMParser().parseFromString(head, "text/html").head;
}

export function head(): void {
  document.addEventListener("htmx:after:swap", (event) => {
    const { text } = (event as CustomEvent<{ ctx: { text?: string } }>).detail.ctx;
    if (!text?.includes("</head>")) return;
    for (const old of document.head.querySelectorAll(`${pageTags}, link[as=image]`)) old.remove();
    document.head.append(...headOf(text).querySelectorAll(pageTags));
  });
}

/** others lets the page have the typefaces of texts and lazy pictures, which come after the first pictures. */
export async function others(): Promise<void> {
  await firstPictures;
  delete document.head.dataset.waits;
}

// Updates the head after a swap of the body, which would leave the previous page's canonical address, alternates and
// description, and the browser's share button and reader mode would use them.

const pageTags =
  'link[rel=canonical], link[rel=alternate], meta[name=description], meta[name=robots], meta[property^="og:"]';

export function head(): void {
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = (event as CustomEvent<{ ctx: { text?: string } }>).detail;
    const match = /<head>.*?<\/head>/s.exec(ctx.text ?? "");
    if (!match) return;
    const newPage = new DOMParser().parseFromString(match[0], "text/html");
    for (const old of document.head.querySelectorAll(pageTags)) old.remove();
    document.head.append(...newPage.head.querySelectorAll(pageTags));
  });
}

// Updates the head after a swap of the body, which would leave the previous page's canonical address, alternates and
// description, and the browser's share button and reader mode would use them.

const followed =
  'link[rel="canonical"], link[rel="alternate"], meta[name="description"], meta[name="robots"], meta[property^="og:"]';

export function head(): void {
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = (event as CustomEvent<{ ctx: { text?: string } }>).detail;
    const found = /<head>.*?<\/head>/s.exec(ctx.text ?? "");
    if (!found) return;
    const next = new DOMParser().parseFromString(found[0], "text/html");
    for (const old of document.head.querySelectorAll(followed)) old.remove();
    document.head.append(...next.head.querySelectorAll(followed));
  });
}

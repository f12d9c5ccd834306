// "Show more" on the blog puts the next posts behind the others; focus goes to the first of them,
// since the link that had it may be gone.

interface Context {
  target?: Element;
  sourceElement: Element;
}

const context = (event: Event) => (event as CustomEvent<{ ctx: Context }>).detail.ctx;

export function posts(): void {
  let shown = 0;
  document.addEventListener("htmx:before:request", (event) => {
    if (context(event).sourceElement.closest("#more-posts"))
      shown = document.querySelectorAll("#posts > *").length;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (context(event).target?.id !== "posts") return;
    document
      .querySelector<HTMLElement>(`#posts > :nth-child(${shown + 1}) h2 a`)
      ?.focus({ preventScroll: true });
  });
}

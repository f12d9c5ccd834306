// The view that a visitor chose for a board is used for the next board, too: links to boards lead to it. It is stored
// in the browser, so that pages stay the same for everybody.

const key = "view";

export function view(): void {
  const onLink = ({ target, type }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>("[data-boards] a, a[data-view]");
    if (!link) return;
    try {
      if (link.dataset.view === undefined) {
        const chosen = localStorage.getItem(key);
        link.search = chosen ? `?view=${chosen}` : "";
      } else if (type === "click") localStorage.setItem(key, link.dataset.view);
    } catch {
      return; // no storage: links stay unchanged
    }
  };
  // Before the page is fetched early, too (intent.ts).
  for (const type of ["pointerover", "focusin", "click"]) document.addEventListener(type, onLink, true);
}

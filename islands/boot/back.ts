// "Back" and "Return" go back in the history if the previous page is on this site; otherwise they are plain links. The
// link back to a list stays a plain link if the visitor has moved on to another talent than the one opened there: it
// leads to this one's place.

/** Steps is the used part of the Navigation API, for which TypeScript has no types yet. */
interface Steps {
  currentEntry: { index: number };
  entries(): { url: string }[];
}

let visited = 0;

export function back(): void {
  const here = document.referrer.startsWith(location.origin + "/");
  document.addEventListener("htmx:after:history:push", () => visited++);
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("[data-back]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.dataset.back === "list" ? !isBefore(link) : visited === 0 && !here) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

/** isBefore reports whether a link leads to the previous page, regardless of how much of the list was shown there. */
function isBefore({ href }: HTMLAnchorElement): boolean {
  const { navigation } = window as { navigation?: Steps };
  const before = navigation?.entries()[navigation.currentEntry.index - 1]?.url;
  return before !== undefined && listOf(before) === listOf(href);
}

function listOf(address: string): string {
  const { pathname, searchParams } = new URL(address);
  searchParams.delete("show");
  return pathname + searchParams.toString();
}

// "Back" and "Return" go back in history where there is somewhere to go back to on this site;
// else they stay the links that they are. So does the way back to a list from another talent than the one that was
// opened there: it leads to the place of this one.

/** Steps is what is used of the Navigation API, which TypeScript does not know yet. */
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

/** isBefore reports whether a link leads to the page before this one, however much of the list was shown there. */
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

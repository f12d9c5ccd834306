// "Back" and "Return" go back in the history if the previous page is on this site; otherwise they are plain links. The
// link from a profile to its list goes back only if the list is the previous page. Otherwise, as after the arrows to
// other talents, it is a plain link to the current talent in the list.

/** NavigationHistory is the used part of the Navigation API, for which TypeScript has no types yet. */
interface NavigationHistory {
  currentEntry: { index: number };
  entries(): { url: string }[];
}

let pushes = 0;

export function back(): void {
  const fromThisSite = document.referrer.startsWith(location.origin + "/");
  document.addEventListener("htmx:after:history:push", () => pushes++);
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("[data-back]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.dataset.back === "list" ? !isPreviousPage(link) : pushes === 0 && !fromThisSite) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

/** isPreviousPage reports whether a link leads to the previous page, whatever length of the list was shown there. */
function isPreviousPage({ href }: HTMLAnchorElement): boolean {
  const { navigation } = window as { navigation?: NavigationHistory };
  const previous = navigation?.entries()[navigation.currentEntry.index - 1]?.url;
  return previous !== undefined && withoutShow(previous) === withoutShow(href);
}

function withoutShow(address: string): string {
  const { pathname, searchParams } = new URL(address);
  searchParams.delete("show");
  return pathname + searchParams.toString();
}

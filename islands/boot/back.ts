// "Back" and "Return" go back in the history if the previous page is on this site; otherwise they are plain links. The
// link from a profile to its list goes back only if the list is the previous page. Otherwise, as after the arrows to
// other talents, it is a plain link to the current talent in the list.

interface HistoryDetail {
  history: { type: string; path: string };
}

/** The page before each page, by address. */
const previous = new Map<string, string>();

export function back(): void {
  if (history.length > 1 && document.referrer.startsWith(location.origin + "/"))
    previous.set(location.href, document.referrer);
  document.addEventListener("htmx:before:history:update", (event) => {
    const { detail } = event as CustomEvent<HistoryDetail>;
    const next = new URL(detail.history.path, location.href).href;
    if (next === location.href) detail.history.type = "replace"; // as the browser does for a link to the same page
    if (detail.history.type === "push") previous.set(next, location.href);
  });
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("[data-back]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const before = previous.get(location.href);
      if (!before || (link.dataset.back === "list" && withoutShow(before) !== withoutShow(link.href))) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

/** withoutShow is the address of a list, whatever length of it was shown. */
function withoutShow(address: string): string {
  const { pathname, searchParams } = new URL(address);
  searchParams.delete("show");
  return pathname + searchParams.toString();
}

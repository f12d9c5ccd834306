// "Back" and "Return" go one step back in the history if the page before is on this site; otherwise they are plain
// links.

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
      if (!previous.has(location.href)) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

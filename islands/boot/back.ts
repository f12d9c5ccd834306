// "Back" and "Return" go one step back in the history if the page before is on this site; otherwise they are plain
// links.
import { isPlain } from "../plain";

interface HistoryDetail {
  history: { type: string; path: string };
}

/** Whether the page before is on this site. An older browser takes the step as soon as htmx has shown a page here. */
const canGoBack = () =>
  (globalThis as { navigation?: { canGoBack: boolean } }).navigation?.canGoBack ??
  (Boolean((history.state as { htmx?: boolean } | null)?.htmx) ||
    document.referrer.startsWith(location.origin + "/"));

export function back(): void {
  document.addEventListener("htmx:before:history:update", (event) => {
    const { history } = (event as CustomEvent<HistoryDetail>).detail;
    // As the browser does for a link to the same page.
    if (new URL(history.path, location.href).href === location.href) history.type = "replace";
  });
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest("[data-back]");
      if (!link || !isPlain(event) || !canGoBack()) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

// The loading indicator covers the page while the language changes.

const maxShown = 600; // ms

const setShown = (shown: boolean) => document.querySelector("#loading")?.toggleAttribute("hidden", !shown);

/** startLoading shows the indicator after a click on another language, also one from before this script was loaded. */
export function startLoading(event: MouseEvent): void {
  const link = (event.target as Element).closest("a[data-language]");
  if (!link || link.hasAttribute("aria-current")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  setShown(true);
  setTimeout(() => setShown(false), maxShown); // the navigation may have been cancelled
}

export function loading(): void {
  document.addEventListener("keydown", ({ key }) => key === "Escape" && setShown(false)); // cancels the navigation
  addEventListener("pageshow", () => setShown(false)); // also after a return from another document
}

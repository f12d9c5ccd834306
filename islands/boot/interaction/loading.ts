// The loading indicator covers the page while the language changes.

const maxShown = 600; // ms

export function loading(): void {
  const setShown = (shown: boolean) => document.querySelector("#loading")?.toggleAttribute("hidden", !shown);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a[data-language]");
    if (!link || link.hasAttribute("aria-current")) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    setShown(true);
    setTimeout(() => setShown(false), maxShown); // the navigation may have been cancelled
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && setShown(false)); // cancels the navigation
  addEventListener("pageshow", () => setShown(false)); // also after a return from another document
}

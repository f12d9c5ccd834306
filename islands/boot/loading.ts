// The loading indicator covers the page while the language changes.
import { isPlain } from "../plain";

const maxShown = 600; // ms

const setShown = (shown: boolean) => document.querySelector("#loading")?.toggleAttribute("hidden", !shown);

export function loading(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a[data-language]:not([aria-current])");
    if (!link || !isPlain(event)) return;
    setShown(true);
    setTimeout(() => setShown(false), maxShown); // the navigation may have been cancelled
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && setShown(false)); // cancels the navigation
  addEventListener("pageshow", () => setShown(false)); // also after a return from another document
}

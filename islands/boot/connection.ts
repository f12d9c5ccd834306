// Shows a message when the connection is lost or back, and registers the service worker (islands/sw.ts), which caches
// visited pages. It is loaded after everything that the page needs.
import { toast } from "./toast";

function say(online: boolean): void {
  const words = document.querySelector<HTMLElement>("#connection");
  if (!words) return;
  toast(words); // before the text, so that screen readers announce it
  words.textContent = (online ? words.dataset.online : words.dataset.offline) ?? "";
}

async function keep(worker: string): Promise<void> {
  const { serviceWorker } = navigator;
  const first = !serviceWorker.controller;
  await serviceWorker.register(worker);
  if (!first) return;
  const { active } = await serviceWorker.ready;
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...resources]);
}

export function connection(): void {
  addEventListener("offline", () => say(false));
  addEventListener("online", () => say(true));
  if (!navigator.onLine) say(false);
  const worker = document.querySelector<HTMLElement>("#connection")?.dataset.worker;
  if (!worker || !("serviceWorker" in navigator)) return;
  // If the browser refuses it, the site works without.
  addEventListener("load", () => void keep(worker).catch(() => undefined), { once: true });
}

// Shows a message when the connection is lost or back, and registers the service worker (islands/sw.ts), which caches
// visited pages. It is loaded after everything that the page needs.
import { toast } from "./toast";

function showStatus(online: boolean): void {
  const message = document.querySelector<HTMLElement>("#connection");
  if (!message) return;
  toast(message); // before the text, so that screen readers announce it
  message.textContent = (online ? message.dataset.online : message.dataset.offline) ?? "";
}

async function registerWorker(worker: string): Promise<void> {
  const { serviceWorker } = navigator;
  const isFirst = !serviceWorker.controller;
  await serviceWorker.register(worker);
  if (!isFirst) return;
  const { active } = await serviceWorker.ready;
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...resources]);
}

export function connection(): void {
  addEventListener("offline", () => showStatus(false));
  addEventListener("online", () => showStatus(true));
  if (!navigator.onLine) showStatus(false);
  const worker = document.querySelector<HTMLElement>("#connection")?.dataset.worker;
  if (!worker || !("serviceWorker" in navigator)) return;
  // If the browser refuses it, the site works without.
  addEventListener("load", () => void registerWorker(worker).catch(() => undefined), { once: true });
}

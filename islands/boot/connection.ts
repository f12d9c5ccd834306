// Whether there is a connection is said in one quiet sentence, and what was visited is kept by the
// service worker (islands/sw.ts). It is fetched after everything that the page itself needs.
import { toast } from "./toast";

function say(online: boolean): void {
  const words = document.querySelector<HTMLElement>("#connection");
  if (!words) return;
  toast(words); // before the words, so that they are read out
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
  // Where a browser refuses it, the site does without.
  addEventListener("load", () => void keep(worker).catch(() => undefined), { once: true });
}

// Shows a message when the connection is lost or back.
import { toast } from "./toast";

function showStatus(online: boolean): void {
  const message = document.querySelector<HTMLElement>("#connection");
  if (!message) return;
  toast(message); // before the text, so that screen readers announce it
  message.textContent = (online ? message.dataset.online : message.dataset.offline) ?? "";
}

export function connection(): void {
  addEventListener("offline", () => showStatus(false));
  addEventListener("online", () => showStatus(true));
  if (!navigator.onLine) showStatus(false);
}

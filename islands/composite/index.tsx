// The button of a composite card: it turns while the card is made, saves it, and says so where it
// could not be made. Without this script it is a plain link to the same file.
import { toast } from "../toast";

const patience = 60_000; // ms; a card is made in one, a dozen of them in ten seconds

export default function mount(root: HTMLElement): () => void {
  const button = root.querySelector<HTMLAnchorElement>("a")!;
  const [idle, sending] = [".btn__idle", ".btn__sending"].map((name) =>
    root.querySelector<HTMLElement>(name)!,
  );
  const failed = root.querySelector<HTMLElement>(".toast")!;
  let running: AbortController | undefined;
  let gone = false;
  let busy = false;

  function state(now: "idle" | "sending"): void {
    busy = now === "sending";
    button.dataset.state = now;
    button.setAttribute("aria-busy", String(busy));
    idle!.hidden = busy;
    sending!.hidden = !busy;
  }

  async function download(): Promise<void> {
    failed.hidden = true;
    state("sending");
    running = new AbortController();
    const late = setTimeout(() => running?.abort(), patience);
    try {
      const answer = await fetch(button.href, { signal: running.signal });
      const type = answer.headers.get("Content-Type") ?? "";
      if (!answer.ok || !type.startsWith("application/zip")) throw new Error(`answered ${answer.status}`);
      save(await answer.blob(), fileName(answer.headers.get("Content-Disposition") ?? ""));
    } catch {
      if (!gone) toast(failed);
    } finally {
      clearTimeout(late);
      state("idle");
    }
  }

  function click(event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!busy) void download();
  }

  button.addEventListener("click", click);
  return () => {
    gone = true;
    button.removeEventListener("click", click);
    running?.abort();
  };
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading it
}

/** fileName is the name in a Content-Disposition header, its true spelling first (RFC 6266). */
export function fileName(header: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (extended) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? "composite.zip";
}

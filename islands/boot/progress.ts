// The progress bar at the top while a page loads: it appears after 200 ms (throttle), runs for up to 5 s (duration),
// fills when the response arrives, and turns red if it fails, with a message in the page's language.
import { toast } from "./toast";

const throttle = 200;
const failedFor = 4000;

type State = "running" | "done" | "failed";

interface RequestDetail {
  ctx: { sourceElement: Element; response?: { status: number } };
}

const contextOf = (event: Event) => (event as CustomEvent<RequestDetail>).detail.ctx;

export function progress(): void {
  const bar = document.createElement("div");
  bar.className = "load-bar";
  bar.setAttribute("aria-hidden", "true");
  const running = new Set<object>();
  const failed = new WeakSet<object>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(state: State): void {
    bar.dataset.state = state;
    document.documentElement.append(bar); // outside the body, whose swap it survives
  }
  function after(time: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, time);
  }

  document.addEventListener("htmx:before:request", (event) => {
    const ctx = contextOf(event);
    if (ctx.sourceElement.id === "bar") return; // the shortlist's, which comes by itself: nobody waits for it
    running.add(ctx);
    after(throttle, () => show("running"));
  });
  document.addEventListener("htmx:error", (event) => failed.add(contextOf(event)));
  document.addEventListener("htmx:finally:request", (event) => {
    const ctx = contextOf(event);
    if (!running.delete(ctx)) return;
    if (failed.has(ctx) || (ctx.response?.status ?? 0) >= 500) {
      show("failed");
      const message = document.querySelector<HTMLElement>("#failed");
      if (message) toast(message);
      after(failedFor, () => bar.remove());
    } else if (running.size === 0) {
      bar.dataset.state = "done";
      after(throttle, () => bar.remove());
    }
  });
}

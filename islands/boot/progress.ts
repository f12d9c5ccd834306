// The progress bar at the top while a page loads: it appears after 200 ms (throttle), runs for up to 5 s (duration),
// fills when the response arrives, and turns red if it fails, with a message in the page's language.
import { toast } from "./toast";

const throttle = 200;
const failedFor = 4000;

let bar: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let running = 0;

function show(state: "running" | "done" | "failed" | "idle"): void {
  bar ??= document.createElement("div");
  bar.className = "load-bar";
  bar.dataset.state = state;
  bar.setAttribute("aria-hidden", "true");
  if (state === "idle") bar.remove();
  else if (!bar.isConnected) document.documentElement.append(bar); // survives a swap of the body
}

function start(): void {
  running++;
  clearTimeout(timer);
  timer = setTimeout(() => show("running"), throttle);
}

function end(failed: boolean): void {
  running = Math.max(0, running - 1);
  if (failed) {
    clearTimeout(timer);
    show("failed");
    const message = document.querySelector<HTMLElement>("#failed");
    if (message) toast(message);
    timer = setTimeout(() => show("idle"), failedFor);
  } else if (running === 0) {
    clearTimeout(timer);
    if (bar?.dataset.state === "running") {
      show("done");
      timer = setTimeout(() => show("idle"), throttle);
    }
  }
}

interface RequestDetail {
  ctx: { sourceElement: Element; response?: { status: number } };
}

/** The bar of the shortlist comes by itself, and nobody waits for it. */
const isAwaited = ({ sourceElement }: RequestDetail["ctx"]) => sourceElement.id !== "bar";

export function progress(): void {
  const failed = new WeakSet<object>();
  document.addEventListener("htmx:before:request", (event) => {
    if (isAwaited((event as CustomEvent<RequestDetail>).detail.ctx)) start();
  });
  document.addEventListener("htmx:error", (event) => {
    failed.add((event as CustomEvent<RequestDetail>).detail.ctx);
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = (event as CustomEvent<RequestDetail>).detail;
    if (isAwaited(ctx)) end(failed.has(ctx) || (ctx.response?.status ?? 0) >= 500);
  });
}

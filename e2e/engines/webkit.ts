// WebKit, the engine of Safari, by WebKitWebDriver: in a bare window (webkitview.py) on a screen of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../site";
import { Engine, type Reference } from "./engine";

type Call = <T>(method: string, path: string, given?: object) => Promise<T>;

class WebKit extends Engine {
  private read = 0; // of the log

  constructor(
    private readonly call: Call,
    private readonly log: string,
    readonly close: () => Promise<void>,
  ) {
    super();
  }

  async open(url: string) {
    await this.call("POST", "/url", { url });
  }
  async resize(width: number, height: number) {
    await this.call("POST", "/window/rect", { width, height });
    await this.until("the size", (width) => innerWidth === width, width);
  }
  async back() {
    await this.call("POST", "/back", {});
  }
  async choose(selector: string, file: string) {
    const element = await this.find(selector);
    await this.call("POST", `/element/${Object.values(element)[0]}/value`, { text: resolve(file) });
  }
  complaints() {
    const lines = readFileSync(this.log, "utf8").split("\n").filter(Boolean);
    const last = lines.slice(this.read);
    this.read = lines.length;
    return last;
  }
  protected evaluate(body: string) {
    const script = `const done = arguments[0]; (async () => { ${body} })().then(done)`;
    return this.call<string>("POST", "/execute/async", { script, args: [] });
  }
  protected find(selector: string) {
    return this.call<Reference>("POST", "/element", { using: "css selector", value: selector });
  }
  protected origin(element: Reference) {
    return element;
  }
  protected async act(source: object) {
    await this.call("POST", "/actions", { actions: [source] });
  }
  protected screenshot() {
    return this.call<string>("GET", "/screenshot");
  }
}

/** startScreen starts a screen without a monitor, and returns its name. */
async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const args = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const screen = spawn("Xvfb", args, { stdio: ["ignore", "pipe", "ignore"] });
  const display = await new Promise<string>((resolve) =>
    screen.stdout.once("data", (data: Buffer) => resolve(`:${data.toString().trim()}`)),
  );
  return { screen, display };
}

export async function startWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "zedcard-webkit-"));
  const log = join(folder, "complaints");
  writeFileSync(log, "");
  const { screen, display } = await startScreen();
  const port = await freePort();
  const env = { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const ask = async <T>(method: string, path: string, given?: object): Promise<T> => {
    const body = given && JSON.stringify(given);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };
  const options = { binary: resolve("e2e/engines/webkitview.py"), args: ["--automation", log] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const start = () => ask<{ sessionId: string }>("POST", "/session", { capabilities });
  let session: { sessionId: string } | undefined;
  while (!session)
    session = await start().catch(async (error: Error) => {
      if (!error.message.includes("fetch failed")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50)); // it does not listen yet
      return undefined;
    });
  const call: Call = (method, path, given) => ask(method, `/session/${session.sessionId}${path}`, given);
  return new WebKit(call, log, async () => {
    await call("DELETE", "").catch(() => undefined); // its window has gone before it answers
    driver.kill();
    screen.kill();
    rmSync(folder, { recursive: true, force: true });
  });
}

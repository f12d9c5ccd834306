// Firefox by WebDriver BiDi: commands and events as JSON over a websocket, without geckodriver.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Engine, type Reference } from "./engine";

interface Answer {
  id?: number;
  type: "success" | "error" | "event";
  result?: unknown;
  message?: string;
  params?: { level: string; text: string };
}

type Call = <T>(method: string, given?: object) => Promise<T>;

/** What Firefox says of a file that was on its way when the page was left (NS_BINDING_ABORTED). */
const aborted = 2152398850;

class Firefox extends Engine {
  constructor(
    private readonly call: Call,
    private readonly context: string,
    private readonly log: string[],
    readonly close: () => Promise<void>,
  ) {
    super();
  }

  async open(url: string) {
    await this.call("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }
  async resize(width: number, height: number) {
    await this.call("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
  }
  async back() {
    await this.call("browsingContext.traverseHistory", { context: this.context, delta: -1 });
  }
  async choose(selector: string, file: string) {
    const element = await this.find(selector);
    await this.call("input.setFiles", { context: this.context, element, files: [resolve(file)] });
  }
  complaints() {
    return this.log.splice(0).filter((text) => !text.includes(`status=${aborted}`));
  }
  protected async evaluate(body: string) {
    const { result, exceptionDetails } = await this.call<{
      result?: { value: string };
      exceptionDetails?: { text: string };
    }>("script.evaluate", {
      expression: `(async () => { ${body} })()`,
      target: { context: this.context },
      awaitPromise: true,
    });
    if (!result) throw new Error(exceptionDetails!.text);
    return result.value;
  }
  protected async find(selector: string) {
    const { result } = await this.call<{ result: Reference }>("script.evaluate", {
      expression: `document.querySelector(${JSON.stringify(selector)})`,
      target: { context: this.context },
      awaitPromise: false,
    });
    return { sharedId: result.sharedId! };
  }
  protected origin(element: Reference) {
    return { type: "element", element };
  }
  protected async act(source: object) {
    await this.call("input.performActions", { context: this.context, actions: [source] });
  }
  protected async screenshot() {
    const { data } = await this.call<{ data: string }>("browsingContext.captureScreenshot", {
      context: this.context,
    });
    return data;
  }
}

export async function startFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), "zedcard-firefox-"));
  writeFileSync(
    join(profile, "user.js"),
    `user_pref("app.normandy.enabled", false); // fetches nothing of its own
     user_pref("network.captive-portal-service.enabled", false);`,
  );
  const args = [
    "--headless",
    "--no-remote",
    "--profile",
    profile,
    "--remote-debugging-port=0",
    "about:blank",
  ];
  const firefox = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"] });
  const exited = new Promise<void>((resolve) => firefox.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let output = "";
    firefox.stderr.on("data", (data: Buffer) => {
      output += data.toString();
      const found = /ws:\/\/[\d.:]+/.exec(output);
      if (found) resolve(found[0]);
    });
    void exited.then(() => reject(new Error(`Firefox ended: ${output}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => (socket.onopen = resolve));
  const waiting: ((answer: Answer) => void)[] = [];
  const log: string[] = [];
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data as string) as Answer;
    if (answer.id !== undefined) waiting[answer.id]!(answer);
    else if (answer.params!.level === "error" || answer.params!.level === "warn")
      log.push(answer.params!.text);
  };
  const call: Call = async <T>(method: string, params: object = {}) => {
    const answer = await new Promise<Answer>((resolve) => {
      const id = waiting.push(resolve) - 1;
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
    return answer.result as T;
  };
  await call("session.new", { capabilities: {} });
  await call("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await call<{ contexts: { context: string }[] }>("browsingContext.getTree");
  return new Firefox(call, contexts[0]!.context, log, async () => {
    firefox.kill();
    await exited;
    rmSync(profile, { recursive: true, force: true });
  });
}

// Firefox by WebDriver BiDi: commands and events as JSON over a websocket, without geckodriver.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { WebSocket } from "ws"; // that of Node 20 is experimental, and was closed after three minutes
import { Engine, type Reference } from "./engine";

interface Answer {
  id?: number;
  type: "success" | "error" | "event";
  result?: unknown;
  message?: string;
  params?: { level: string; text: string };
}

type Call = <T>(method: string, given?: object, limit?: number) => Promise<T>;

/** What Firefox says of a file that was on its way when the page was left (NS_BINDING_ABORTED). */
const aborted = 2152398850;

// How long (ms) Firefox may take for an answer. On a busy machine it starts for longer than ten seconds. What a page
// says is there sooner, and an answer that is lost is asked for again where a check waits.
const answerLimit = 50_000; // less than a check may take, so that its call is named
const pageLimit = 10_000;

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
    }>(
      "script.evaluate",
      {
        expression: `(async () => { ${body} })()`,
        target: { context: this.context },
        awaitPromise: true,
      },
      pageLimit,
    );
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
     user_pref("network.captive-portal-service.enabled", false);
     user_pref("dom.input_events.security.minNumTicks", 0); // input right after a page is shown is not dropped
     user_pref("dom.input_events.security.minTimeElapsedInMS", 0);`,
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
  const close = async () => {
    firefox.kill();
    await exited;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const { call, log } = await connect(firefox, exited);
    await call("session.new", { capabilities: {} });
    await call("session.subscribe", { events: ["log.entryAdded"] });
    const { contexts } = await call<{ contexts: { context: string }[] }>("browsingContext.getTree");
    return new Firefox(call, contexts[0]!.context, log, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** connect waits until Firefox says where it listens; log is filled with what pages complain about. */
async function connect(
  firefox: ChildProcessByStdio<null, null, Readable>,
  exited: Promise<void>,
): Promise<{ call: Call; log: string[] }> {
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
  await once(socket, "open");
  const waiting: ((answer: Answer) => void)[] = [];
  const log: string[] = [];
  socket.on("message", (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as Answer;
    if (answer.id !== undefined) waiting[answer.id]!(answer);
    else if (answer.params!.level === "error" || answer.params!.level === "warn")
      log.push(answer.params!.text);
  });
  const call: Call = <T>(method: string, params: object = {}, limit = answerLimit) =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), limit);
      const id = waiting.push((answer) => {
        clearTimeout(timer);
        if (answer.type === "error") reject(new Error(`${method}: ${answer.message}`));
        else resolve(answer.result as T);
      });
      socket.send(JSON.stringify({ id: id - 1, method, params }));
    });
  return { call, log };
}

// Both back ends in one program (e2e/fake), which the test fills, breaks and asks what was requested.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Talent } from "./roster";

/** Content is what the back ends hold, in the names of testkit.Content. */
export interface Content {
  talents?: Talent[];
  posts?: Record<string, object[]>;
  entities?: object[];
}

interface Request {
  Path: string;
  Header: Record<string, string[]>;
  Body: string; // base64
  Broken: boolean;
}

/** Submission is the content of one request with a form. */
export interface Submission {
  path: string;
  key: string | undefined;
  fields: [name: string, value: string][];
  files: { field: string; name: string; type: string; bytes: Uint8Array }[];
}

/** BackEnds are running back ends. `env` are the settings of a site on them. */
export class BackEnds {
  #returned = 0;

  private constructor(
    readonly env: Record<string, string>,
    readonly process: ChildProcess,
  ) {}

  /** start runs back ends with this content, or that of the demo. */
  static async start(content: Content | "demo"): Promise<BackEnds> {
    const child = spawn("bin/fake", content === "demo" ? ["-demo"] : [], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [env] = (await once(child.stdout, "data")) as [Buffer];
    const backEnds = new BackEnds(JSON.parse(env.toString()) as Record<string, string>, child);
    if (content !== "demo") await backEnds.#ask("content", content);
    return backEnds;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.stdin!.end();
    await ended;
  }

  get url(): string {
    return this.env.PANEL_URL!;
  }

  /**
   * fail replaces the faults: a status for the requests that begin with a path, or with a method and a path. Those with
   * "wait" are answered when the faults change.
   */
  async fail(faults: Record<string, number | "wait">): Promise<void> {
    const statuses = Object.entries(faults).map(([begin, fault]) => [begin, fault === "wait" ? 0 : fault]);
    await this.#ask("faults", Object.fromEntries(statuses) as object);
  }

  /** requests are those that began so, as in fail, when no fault was set for them. */
  async requests(begin: string): Promise<Request[]> {
    const answer = await this.#ask(`requests?pattern=${encodeURIComponent(begin)}`);
    return ((await answer.json()) as Request[]).filter(({ Broken }) => !Broken);
  }

  /** received are the submissions that were accepted. */
  async received(): Promise<Submission[]> {
    return Promise.all((await this.requests("POST /api/entry/")).map(submission));
  }

  /** next waits half a minute for the next submission. */
  async next(): Promise<Submission> {
    for (const end = Date.now() + 30_000; Date.now() < end; await setTimeout(20)) {
      const found = (await this.received())[this.#returned];
      if (found) {
        this.#returned++;
        return found;
      }
    }
    throw new Error("no submission came");
  }

  async #ask(what: string, body?: object): Promise<Response> {
    const answer = await fetch(
      `${this.url}/fake/${what}`,
      body && { method: "PUT", body: JSON.stringify(body) },
    );
    assert.equal(answer.status, 200, what);
    return answer;
  }
}

async function submission({ Path, Header, Body }: Request): Promise<Submission> {
  const body = new Uint8Array(Buffer.from(Body, "base64"));
  const headers = { "Content-Type": Header["Content-Type"]![0]! };
  const sent: Submission = { path: Path, key: Header["Idempotency-Key"]?.[0], fields: [], files: [] };
  for (const [field, value] of await new Response(body, { headers }).formData()) {
    if (typeof value === "string") sent.fields.push([field, value]);
    else {
      const bytes = new Uint8Array(await value.arrayBuffer());
      sent.files.push({ field, name: value.name, type: value.type, bytes });
    }
  }
  return sent;
}

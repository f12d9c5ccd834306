// A panel that records submissions. It is a proxy of `zedcard backend`, which answers everything else, so that a
// complete site runs on it.
import { createServer, request as forward, type IncomingMessage } from "node:http";
import { freePort, startSite } from "./site";

/** Submission is the content of one request with a form. */
interface Submission {
  path: string;
  key: string | undefined;
  fields: [name: string, value: string][];
  files: { field: string; name: string; type: string; bytes: Uint8Array }[];
}

/** Panel is a running panel; `url` serves both APIs. While it is `down` it accepts no form. */
export interface Panel {
  url: string;
  down: boolean;
  received: Submission[];
  /** next waits for the next submission. */
  next(): Promise<Submission>;
  stop(): Promise<void>;
}

export async function startPanel(): Promise<Panel> {
  const backend = await startSite({}, { command: "backend" });
  const received: Submission[] = [];
  const waiting: ((s: Submission) => void)[] = [];
  let returned = 0;
  const server = createServer((request, response) => {
    if (request.method !== "POST" || !request.url!.startsWith("/api/entry/")) {
      const { method, headers } = request;
      const forwarded = forward(backend.url + request.url!, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
      return;
    }
    void read(request).then((submission) => {
      if (panel.down) {
        response.writeHead(503).end();
        return;
      }
      received.push(submission);
      if (waiting.length) {
        returned++;
        waiting.shift()!(submission);
      }
      response.writeHead(201, { "Content-Type": "application/json" }).end('{"id": 1}');
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const panel: Panel = {
    url: `http://127.0.0.1:${port}`,
    down: false,
    received,
    next: () =>
      returned < received.length
        ? Promise.resolve(received[returned++]!)
        : new Promise((resolve) => waiting.push(resolve)),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await backend.stop();
    },
  };
  return panel;
}

async function read(request: IncomingMessage): Promise<Submission> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { "Content-Type": request.headers["content-type"]! },
  }).formData();
  const submission: Submission = {
    path: request.url!,
    key: request.headers["idempotency-key"] as string | undefined,
    fields: [],
    files: [],
  };
  for (const [field, value] of form) {
    if (typeof value === "string") submission.fields.push([field, value]);
    else {
      const bytes = new Uint8Array(await value.arrayBuffer());
      submission.files.push({ field, name: value.name, type: value.type, bytes });
    }
  }
  return submission;
}

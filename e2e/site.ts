// What the browser tests share: the built program on free ports with its own folders, Debian's Chromium, and the checks
// that every page must pass.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createReadStream, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

/** Site is a running program. logs returns what it has written to its error output. */
export interface Site {
  url: string;
  admin: string;
  folder: string;
  logs(): string;
  stop(): Promise<void>;
}

/** The codes of the demo's languages, English first, and the prefix of each one's addresses. */
export const languages = ["en", "es", "pt"];
export const prefixes = languages.map((code) => (code === "en" ? "" : "/" + code));

// The headless shell is the same browser without a window, for two thirds of the processor time.
const shell = "/usr/bin/chromium-headless-shell";
const executablePath = process.env.CHROMIUM ?? (existsSync(shell) ? shell : "/usr/bin/chromium");

// Cache of resized pictures: slides and covers are made before the tests (make e2e), and each site adds others.
const pictures = ".cache/e2e/media";

/** linkPictures adds the pictures of one folder to another as hard links. They are named by hash and never change. */
function linkPictures(from: string, to: string): void {
  for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!/(-master|\.jpg|\.avif)$/.test(name)) continue;
    const [source, link] = [join(from, name), join(to, name)];
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      linkSync(source, link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EXDEV") return; // on another file system each site makes its own
      if (code !== "EEXIST") throw error; // another test was first
    }
  }
}

// Below the system's ephemeral ports, which another connection could take before the program listens. Each process uses
// its own range.
let port = 10_000 + ((process.pid * 64) % 20_000);

/** freePort finds a port without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const candidate = port++;
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (free) return candidate;
  }
}

/** startSite runs `zedcard COMMAND`, of this build unless another binary is named, and waits until it listens. */
export async function startSite(
  env: Record<string, string> = {},
  {
    command = "serve",
    binary = process.env.ZEDCARD ?? "bin/zedcard",
    folder,
    cwd,
  }: { command?: "serve" | "backend"; binary?: string; folder?: string; cwd?: string } = {},
): Promise<Site> {
  const home = folder ?? mkdtempSync(join(tmpdir(), "zedcard-e2e-"));
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  const media = join(home, "media");
  if (command === "serve") linkPictures(pictures, media);
  const child: ChildProcess = spawn(resolve(binary), [command], {
    cwd,
    env: {
      ...process.env,
      LISTEN_ADDR: `127.0.0.1:${port}`,
      ADMIN_ADDR: command === "serve" ? `127.0.0.1:${adminPort}` : "off",
      BASE_URL: url,
      DATA_DIR: home,
      DATABASE_URL: `sqlite:${join(home, "zedcard.db")}`,
      MEDIA_AVIF: "false", // leave the processor to the browser
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (data: Buffer) => {
      log += data.toString();
      if (log.includes("msg=listening setting=LISTEN_ADDR")) resolve();
    });
    void exited.then(() => reject(new Error(`zedcard ended: ${log}`)));
  });
  return {
    url,
    admin,
    folder: home,
    logs: () => log,
    async stop() {
      child.kill("SIGKILL"); // SIGTERM would wait for the browser's connections
      await exited;
      if (command === "serve") linkPictures(media, pictures);
      if (!folder) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** startBrowser starts Chromium. Tests use the one of browser.ts. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      // Fewer processes: a fifth less processor time for each page.
      "--in-process-gpu",
      "--renderer-process-limit=1", // no spare one beside each context's own
      "--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface", // the second is playwright's
    ],
  });
}

/** reactIsLarger skips tests of sizes, which apply to the shipped build only. */
export const reactIsLarger = ["production", "development"].includes(process.env.ISLANDS ?? "shipped");

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** prefixesOn returns the languages to test at a size: a desktop has room for longer words (see copy.test.ts). */
export const prefixesOn = (options: BrowserContextOptions) => (options === desk ? [""] : prefixes);

/**
 * visit opens a page in a new context and collects the browser's complaints: script errors, violations of the content
 * security policy, and requests to other hosts.
 */
export async function visit(
  browser: Browser,
  site: Site,
  options: BrowserContextOptions = desk,
): Promise<{ page: Page; complaints: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext({
    baseURL: site.url,
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  await page.addInitScript(() => delete (AbortSignal as { any?: unknown }).any); // phones of 2023 have none
  const complaints: string[] = [];
  const fromReact: string[] = []; // warnings of React's development build
  page.on("console", (message) => {
    const isReactWarning =
      process.env.ISLANDS === "development" && !/^(Failed to load resource|htmx:)/.test(message.text());
    if (isReactWarning && message.type() === "error" && message.location().url.includes("/static/"))
      fromReact.push(message.text());
    // A busy converter answers 503 with the default picture, which is not an error of the page.
    const isBusy = message.location().url.includes("/media/") && message.text().includes("status of 503");
    if (message.type() === "error" && !message.text().includes("status of 4") && !isBusy)
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const target = request.url();
    const isOwn = target.startsWith(site.url) || target.endsWith("/axe.min.js");
    if (target.startsWith("http") && !isOwn) complaints.push("foreign: " + target);
  });
  return {
    page,
    complaints,
    close: async () => {
      await context.close();
      assert.deepEqual(fromReact, [], "warnings of React's development build");
    },
  };
}

/**
 * textFonts waits for the fonts of texts, which are loaded after the first pictures: lines may be a fraction of a pixel
 * higher with them, and what stands below moves.
 */
export async function textFonts(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.fonts.check("20px 'Newsreader Text'") && document.fonts.check("14px 'Instrument Sans'"),
  );
  await page.evaluate(() => document.fonts.ready);
}

// axe from an address is kept by the browser, compiled too; handed over as text it takes longer than its checks.
const axeServer = createHttpServer((_, answer) => {
  answer.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "max-age=3600" });
  createReadStream("node_modules/axe-core/axe.min.js").pipe(answer);
}).unref();
const axeURL = new Promise<string>((resolve) =>
  axeServer.listen(0, "127.0.0.1", () => {
    const { port } = axeServer.address() as AddressInfo;
    resolve(`http://127.0.0.1:${port}/axe.min.js`);
  }),
);

/** axe lists the accessibility violations of a page. Its context needs bypassCSP, or the policy refuses the script. */
export async function axe(page: Page): Promise<string[]> {
  await page.addScriptTag({ url: await axeURL });
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run({
      runOnly: { type: "tag", values: tags },
      resultTypes: ["violations"],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

/** fits fails if the page scrolls sideways. */
export async function fits(page: Page, label: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${label} is ${overflow} px too wide`);
}

/**
 * accessible fails if the page has an accessibility violation or scrolls sideways. The other languages have the same
 * markup with longer words, so they are only tested with fits.
 */
export async function accessible(page: Page, label: string): Promise<void> {
  assert.deepEqual(await axe(page), [], label);
  await fits(page, label);
}

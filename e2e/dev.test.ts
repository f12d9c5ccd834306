// The development server shows edits in the open browser.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import esbuild from "esbuild";
import type { Browser } from "playwright-core";
import { startBrowser, startSite, visit, type Site } from "./site";

let folder: string;
let site: Site;
let browser: Browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "zedcard-dev-"));
  cpSync("i18n", join(folder, "i18n"), { recursive: true });
  cpSync("static/dist", join(folder, "static/dist"), { recursive: true });
  cpSync("internal/backend/embedded/demo", join(folder, "content"), { recursive: true });
  esbuild.buildSync({ entryPoints: ["islands/dev.ts"], outfile: join(folder, "static/dist/dev.js") });
  const env = { DEV: "true", CONTENT_DIR: join(folder, "content") };
  [site, browser] = await Promise.all([startSite(env, { cwd: folder }), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop("SIGKILL"); // SIGTERM would wait for the event streams
  rmSync(folder, { recursive: true, force: true });
});

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), file);
  writeFileSync(path, text.replace(from, to));
}

test("edits of texts and of content pages appear without a reload by hand", async () => {
  const { page, complaints, close } = await visit(browser, site);
  // A change that is made before the page's script listens is missed.
  const connection = () => page.waitForResponse((response) => response.url().endsWith("/_live"));
  let connected = connection();
  await page.goto("/about");
  await connected;
  connected = connection();
  edit("i18n/en.json", '"nav.about": "About"', '"nav.about": "About the agency"');
  await page.getByRole("heading", { level: 1, name: "About the agency" }).waitFor();
  await connected;
  edit("content/pages/about.md", "We represent people, not looks.", "We represent people only.");
  await page.getByText("We represent people only.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("an invalid text file leaves the previous texts in use", async () => {
  const { page, close } = await visit(browser, site);
  writeFileSync(join(folder, "i18n/pt.json"), "{");
  await page.goto("/pt/contato");
  assert.equal(await page.locator("h1").textContent(), "Contato");
  await close();
});

// The development server: what is edited shows in the open browser.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import esbuild from "esbuild";
import type { Browser } from "playwright-core";
import { startBrowser, startSite, visit, type Site } from "./site";

let tree: string;
let site: Site;
let browser: Browser;
before(async () => {
  tree = mkdtempSync(join(tmpdir(), "zedcard-dev-"));
  cpSync("i18n", join(tree, "i18n"), { recursive: true });
  cpSync("static/dist", join(tree, "static/dist"), { recursive: true });
  cpSync("internal/backend/embedded/demo", join(tree, "content"), { recursive: true });
  esbuild.buildSync({ entryPoints: ["islands/dev.ts"], outfile: join(tree, "static/dist/dev.js") });
  const env = { DEV: "true", CONTENT_DIR: join(tree, "content") };
  [site, browser] = await Promise.all([startSite(env, { cwd: tree }), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop("SIGKILL"); // SIGTERM would wait for the event streams
  rmSync(tree, { recursive: true, force: true });
});

function edit(file: string, from: string, to: string): void {
  const path = join(tree, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), file);
  writeFileSync(path, text.replace(from, to));
}

test("a changed text, and a changed page of the content folder, show by themselves", async () => {
  const { page, complaints, close } = await visit(browser, site);
  const connected = page.waitForResponse((response) => response.url().endsWith("/_live"));
  await page.goto("/about");
  await connected;
  edit("i18n/en.json", '"nav.about": "About"', '"nav.about": "About the agency"');
  await page.getByRole("heading", { level: 1, name: "About the agency" }).waitFor();
  edit("content/pages/about.md", "We represent people, not looks.", "We represent people only.");
  await page.getByText("We represent people only.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a text file that can't be read leaves the last texts", async () => {
  const { page, close } = await visit(browser, site);
  writeFileSync(join(tree, "i18n/pt.json"), "{");
  await page.goto("/pt/contato");
  assert.equal(await page.locator("h1").textContent(), "Contato");
  await close();
});

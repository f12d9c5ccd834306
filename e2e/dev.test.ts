// The development server shows edits in the open browser, once scripts/dev.mjs has started it again.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import esbuild from "esbuild";
import { browser } from "./browser";
import { startSite, visit, type Site } from "./site";

let folder: string;
let site: Site;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "zedcard-dev-"));
  cpSync("i18n", join(folder, "i18n"), { recursive: true });
  cpSync("static/dist", join(folder, "static/dist"), { recursive: true });
  cpSync("internal/folder/demo", join(folder, "content"), { recursive: true });
  esbuild.buildSync({ entryPoints: ["islands/dev.ts"], outfile: join(folder, "static/dist/dev.js") });
  site = await start();
});
after(async () => {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Promise<Site> {
  return startSite({ DEV: "true", CONTENT_DIR: join(folder, "content"), ...env }, { cwd: folder });
}

/** restart starts the site again at its address. */
async function restart(): Promise<void> {
  const { url } = site;
  await site.stop();
  site = { ...(await start({ LISTEN_ADDR: new URL(url).host, BASE_URL: url })), url };
}

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), file);
  writeFileSync(path, text.replace(from, to));
}

test("an open page reloads with edited texts and content, and without texts that are faulty", async () => {
  const { page, close } = await visit(browser, site);
  const connected = page.waitForResponse((response) => response.url().endsWith("/_live"));
  await page.goto("/about");
  await connected;
  edit("i18n/en.json", '"nav.about": "About"', '"nav.about": "About the agency"');
  edit("content/pages/about.md", "We represent people, not looks.", "We represent people only.");
  await restart();
  await page.getByRole("heading", { level: 1, name: "About the agency" }).waitFor();
  await page.getByText("We represent people only.").waitFor();
  await close(); // or its reload would abort the next navigation

  writeFileSync(join(folder, "i18n/pt.json"), "{");
  await restart();
  const later = await visit(browser, site);
  await later.page.goto("/pt/contato");
  assert.equal(await later.page.locator("h1").textContent(), "Contato");
  await later.close();
});

// A site of its own folder: what is not published yet is seen by editors only, in its place and with a mark; the own
// pages of the agency, files and old addresses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "./browser";
import { accessible, desk, fits, phone, startSite, visit, type Site } from "./site";

const token = "sesame-sesame-sesame";
const maria = "/models/1/maria-example";
const home = mkdtempSync(join(tmpdir(), "zedcard-folder-"));
const folder = join(home, "lumen");
let site: Site;

before(async () => {
  execFileSync(process.env.ZEDCARD ?? "bin/zedcard", ["init", folder]);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  appendFileSync(join(folder, "talents/010-maria-example/talent.yaml"), "draft: true\n");
  write(
    "posts/news/later.md",
    "---\ntitle: Next spring\ndate: 2026-03-01\npublish: 2099-05-01\n---\n\nSoon.\n",
  );
  write("pages/contrato.md", "---\ntitle: Contrato\nmenu: footer\n---\n\n## Reclamações\n\nEscreva-nos.\n");
  write("pages/prices.md", "---\ntitle: Prices\ndraft: true\n---\n\nTo be decided.\n");
  write("redirects.txt", "/team.html /about\n/tom.html talent:2\n/wp-content/* 410\n");
  write("public/google1.html", "google-site-verification: google1.html");
  site = await startSite({ CONTENT_DIR: folder, PREVIEW_TOKEN: token });
});
after(async () => {
  await site.stop();
  rmSync(home, { recursive: true });
});

const status = async (page: Page, path: string) => (await page.goto(path))!.status();
const drafts = [maria, "/pt/blog/news/later", "/prices"];

for (const [name, options] of Object.entries({
  "with a script": phone,
  "without a script": { ...desk, javaScriptEnabled: false },
}))
  test(`editors see drafts in their places with a mark, visitors don't, ${name}`, async () => {
    const editor = await visit(browser, site, { ...options, bypassCSP: true });
    await editor.page.goto(`/_content?token=${token}`);
    for (const path of drafts) {
      assert.equal(await status(editor.page, path), 200, path);
      await editor.page.locator("[data-draft]").first().waitFor();
      if (name === "with a script") await accessible(editor.page, path);
      else await fits(editor.page, path);
    }
    await editor.page.goto("/women");
    const card = editor.page.locator("[data-talent='1']");
    await card.locator("[data-draft]").waitFor();
    await card.getByRole("link", { name: "Maria Example" }).click();
    await editor.page.waitForURL(`**${maria}*`);
    const picture = editor.page.locator("[data-gallery] img").first();
    await picture.scrollIntoViewIfNeeded();
    await editor.page.waitForFunction(
      () => document.querySelector<HTMLImageElement>("[data-gallery] img")!.naturalWidth > 0,
    );
    const file = new URL(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).pathname;

    const visitor = await visit(browser, site, options);
    for (const path of [...drafts, file]) assert.equal(await status(visitor.page, path), 404, path);
    for (const [path, draft] of [
      ["/women", "Maria Example"],
      ["/pt/blog", "Next spring"],
    ] as const) {
      assert.equal(await status(visitor.page, path), 200);
      assert.equal(await visitor.page.getByText(draft).count(), 0, `${path} has no ${draft}`);
    }
    assert.deepEqual(editor.complaints, []);
    await Promise.all([editor.close(), visitor.close()]);
  });

test("a page of the agency's own is at its address and at the foot of every page", async () => {
  const { page, close } = await visit(browser, site, { ...phone, bypassCSP: true });
  for (const prefix of ["", "/pt", "/es"]) {
    await page.goto(prefix + "/about");
    await page.locator("footer").getByRole("link", { name: "Contrato" }).click();
    await page.waitForURL(`**${prefix}/contrato`);
    await page.getByRole("heading", { name: "Reclamações" }).waitFor();
  }
  await accessible(page, "a page of its own");
  await close();
});

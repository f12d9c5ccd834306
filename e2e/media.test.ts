// The pictures that a browser loads: in the right size and format, from this site only.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "./browser";
import { phone, startSite, visit, type Site } from "./site";

let site: Site;
let content: string;
before(async () => {
  content = mkdtempSync(join(tmpdir(), "zedcard-content-"));
  cpSync("internal/folder/demo", content, { recursive: true });
  site = await startSite({ CONTENT_DIR: content, MEDIA_AVIF: "true" });
});
after(async () => {
  await site.stop();
  rmSync(content, { recursive: true });
});

/** loadedSource waits until an image has loaded and returns the source that the browser chose. */
async function loadedSource(page: Page, selector: string): Promise<{ url: string; width: number }> {
  const img = page.locator(selector).first();
  await img.scrollIntoViewIfNeeded();
  return img.evaluate(async (img: HTMLImageElement) => {
    await img.decode();
    return { url: new URL(img.currentSrc).pathname, width: img.naturalWidth };
  });
}

describe("pictures", () => {
  test("have the size for a screen of 390 px at 2x", async () => {
    const { page, close } = await visit(browser, site, { ...phone, deviceScaleFactor: 2 });
    await page.goto("/models");
    assert.match((await loadedSource(page, "[data-talent] img")).url, /\/c360\.avif$/);
    await page.locator("[data-talent] h2 a").first().click();
    await page.waitForURL(/\/models\/\d+\//);
    assert.match((await loadedSource(page, "[data-gallery] img")).url, /\/u(720|1080)\.avif$/);
    await page.goto("/");
    assert.match((await loadedSource(page, "main section img")).url, /\/u(720|1080)\.avif$/);
    await close();
  });

  test("the first slide is requested once", async () => {
    const { page, complaints, close } = await visit(browser, site, { ...phone, deviceScaleFactor: 2 });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto("/", { waitUntil: "networkidle" });
    const first = await page
      .locator("main section img")
      .first()
      .evaluate((img: HTMLImageElement) => img.currentSrc);
    assert.equal(requested.filter((url) => url === first).length, 1);
    assert.deepEqual(complaints, []);
    await close();
  });
});

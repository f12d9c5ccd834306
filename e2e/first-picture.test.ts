// What a page loads before its first picture, and what it leaves for later (typefaces in islands/boot/head.ts).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { browser } from "./browser";
import { phone, startSite, textFonts, visit, type Site } from "./site";

let site: Site;
before(async () => {
  site = await startSite({});
});
after(async () => {
  await site.stop();
});

/** open opens a page whose pictures are not answered until release is called. */
async function open(path: string, options: BrowserContextOptions) {
  const { page, complaints, close } = await visit(browser, site, options);
  const fonts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.add(/([a-z]+-[a-z]+)[^/]*$/.exec(request.url())![1]!);
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/media/**", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.evaluate(() => document.fonts.ready);
  return { page, complaints, close, fonts, release };
}

/** pictures is how many of the lazy pictures the browser has asked for. */
const pictures = (page: Page) =>
  page
    .locator("main img[loading=lazy]")
    .evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).currentSrc !== "").length);

describe("the first picture", () => {
  for (const path of ["/models/women", "/models/101/benedita-nascimento"])
    test(`of ${path} does not share the line with lazy pictures and the fonts of texts`, async () => {
      const { page, complaints, close, fonts, release } = await open(path, phone);
      assert.deepEqual([...fonts], ["newsreader-display"]);
      assert.equal(await pictures(page), 0);
      release();
      await textFonts(page);
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>("main img[loading=lazy]")].some(
          (image) => image.currentSrc,
        ),
      );
      assert.deepEqual(complaints, []);
      await close();
    });

  test("is not waited for by a page of text, by a page without one, on paper or without JavaScript", async () => {
    for (const [path, options] of [
      ["/about", phone],
      ["/contact", phone],
      ["/models/women", { ...phone, javaScriptEnabled: false }],
    ] as const) {
      const { page, close, fonts } = await open(path, options);
      for (let i = 0; i < 50 && fonts.size < 3; i++) await page.waitForTimeout(100);
      assert.equal(fonts.size, 3, path);
      await close();
    }
    const { page, close } = await open("/models/women", phone);
    await page.emulateMedia({ media: "print" });
    await textFonts(page);
    await close();
  });
});

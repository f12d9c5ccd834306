// What a page loads for its first frame, and what it leaves for 300 ms later (first-frame in tailwind.config.js).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { browser } from "./browser";
import { desk, phone, startSite, textFonts, visit, type Site } from "./site";

let site: Site;
before(async () => {
  site = await startSite({ MEDIA_AVIF: "true" });
});
after(async () => {
  await site.stop();
});

/** open opens a page whose animations stand still: it never leaves its first frame until release is called. */
async function open(path: string, options: BrowserContextOptions) {
  const { page, complaints, close } = await visit(browser, site, {
    ...options,
    reducedMotion: "no-preference",
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Animation.enable");
  await cdp.send("Animation.setPlaybackRate", { playbackRate: 0 });
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(/([a-z]+-[a-z]+)[^/]*$/.exec(request.url())![1]!);
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const release = () => cdp.send("Animation.setPlaybackRate", { playbackRate: 1 });
  const pictures = (kind: string) =>
    page
      .locator(`main picture img${kind}`)
      .evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).currentSrc !== "").length);
  return { page, complaints, close, fonts, release, pictures };
}

describe("the first frame", () => {
  for (const path of ["/models/women", "/models/101/benedita-nascimento"])
    test(`of ${path} on a phone loads neither the fonts of texts nor lazy pictures`, async () => {
      const { page, complaints, close, fonts, release, pictures } = await open(path, phone);
      assert.ok((await pictures(":not([loading])")) > 0);
      assert.equal(await pictures("[loading=lazy]"), 0);
      assert.deepEqual(fonts, ["newsreader-display"]);
      await release();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>("main picture img[loading=lazy]")].some(
          (image) => image.currentSrc !== "",
        ),
      );
      await textFonts(page);
      assert.deepEqual(complaints, []);
      await close();
    });

  test("on a desktop loads every picture on the screen", async () => {
    const { close, pictures } = await open("/models/women", desk);
    assert.ok((await pictures("[loading=lazy]")) > 0);
    await close();
  });

  test("of a page of text loads its fonts", async () => {
    const { close, fonts } = await open("/about", phone);
    assert.deepEqual(fonts.sort(), ["instrument-sans", "newsreader-display", "newsreader-text"]);
    await close();
  });

  test("is left at once when the page is printed", async () => {
    const { page, close, pictures } = await open("/models/women", phone);
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction(() => getComputedStyle(document.documentElement).animationName === "none");
    await textFonts(page);
    assert.ok((await pictures("[loading=lazy]")) > 0);
    await close();
  });
});

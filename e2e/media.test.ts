// The pictures that a browser loads: in the right size and format, from this site only.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "./browser";
import { desk, phone, startSite, visit, type Site } from "./site";

let site: Site;
let content: string;
before(async () => {
  content = mkdtempSync(join(tmpdir(), "zedcard-content-"));
  cpSync("internal/backend/embedded/demo", content, { recursive: true });
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

const screens = ["/", "/models", "/creative", "/about", "/future-face", "/blog"];

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

  for (const [name, options] of Object.entries({ phone, desk })) {
    test(`are resized, from this site, with reserved space, and lazy below the fold, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, options);
      const requested: string[] = [];
      page.on("request", (request) => {
        if (request.resourceType() === "image") requested.push(new URL(request.url()).pathname);
      });
      const profile = new URL(await firstProfile(page), site.url).pathname;
      for (const screen of [...screens, profile, `${profile}?gallery=snap`]) {
        await page.goto(screen, { waitUntil: "networkidle" });
        const images = await page.locator("main img").evaluateAll((all) =>
          (all as HTMLImageElement[]).map((img) => ({
            src: img.getAttribute("src") ?? "",
            sized: img.hasAttribute("width") || img.closest("main section") !== null,
            lazy: img.loading === "lazy",
            high: img.fetchPriority === "high",
            seen: img.getBoundingClientRect().top < innerHeight,
          })),
        );
        assert.ok(images.length > 0, screen);
        for (const [i, { src, sized, lazy, seen: onScreen }] of images.entries()) {
          assert.match(src, /^\/media\//, screen);
          assert.ok(sized, `${src} on ${screen} has width and height`);
          assert.ok(onScreen || lazy || i < 4, `${src} on ${screen} is lazy below the first screen`);
        }
        if (screen !== "/about") assert.ok(images[0]?.high, `the first on ${screen} has high priority`);
      }
      assert.ok(requested.length > 20);
      for (const path of requested) assert.match(path, /^\/(media|static)\//);
      assert.deepEqual(complaints, []);
      await close();
    });
  }

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

  test("a changed original gets a new address, and the old one still works", async () => {
    const { page, close } = await visit(browser, site, phone);
    await page.goto("/models");
    const before = await finalSource(page, "[data-talent] img");
    const profile = await page.locator("[data-talent] h2 a").first().getAttribute("href");
    const slug = profile?.split("/").at(-1) ?? "";
    const folder = readdirSync(join(content, "talents")).find((name) => name.endsWith(`-${slug}`)) ?? "";
    writeFileSync(join(content, "talents", folder, "cover.jpg"), readFileSync(join(content, "blog/01.jpg")));
    await page.waitForFunction(
      async (before) => !(await (await fetch("/models")).text()).includes(before),
      before,
      { polling: 250 },
    );
    assert.equal((await fetch(site.url + before)).status, 200);
    await close();
  });

  test("a picture that fails to load is replaced by the default one", async () => {
    const { page, close } = await visit(browser, site, phone);
    await page.route("**/media/**/c360.avif", (route) => route.abort());
    await page.goto("/models");
    await page.waitForFunction(() => {
      const img = document.querySelector<HTMLImageElement>("[data-talent] img");
      return img?.currentSrc.includes("/media/missing/") && img.complete && img.naturalWidth > 0;
    });
    await close();
  });
});

async function firstProfile(page: Page): Promise<string> {
  await page.goto("/models");
  return (await page.locator("[data-talent] h2 a").first().getAttribute("href"))!;
}

/** finalSource is the address of a card's smallest JPEG once its original has been read. */
async function finalSource(page: Page, selector: string): Promise<string> {
  for (;;) {
    await loadedSource(page, selector);
    const src = await page.locator(selector).first().getAttribute("src");
    if (src && !src.includes("/0/")) return src;
    await page.reload();
  }
}

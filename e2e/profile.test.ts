// A profile, except for its lightbox: videos, measures, booking, the composite card, sharing, related talents, print;
// and the page's budgets.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { contentFolder } from "./content";
import { browser, site } from "./demo";
import { accessible, desk, fits, phone, startSite, visit, type Site } from "./site";

const saskia = "/models/103/saskia-lindqvist";
const elodie = "/models/106/elodie-carpentier"; // an unlisted film at vimeo, then one at youtube
const widths = Object.entries({ phone, desk });

// Talents of this test: with a long book, without pictures, with one picture, with videos only, with a very long name.
const fortyPictures = "/models/1/forty-pictures";
const noPictures = "/models/2/without-pictures";
const onePicture = "/models/3/one-picture";
const onlyVideos = "/models/4/only-films";
const longName = "/models/5/wolfeschlegelsteinhausenbergerdorff-de-albuquerque-cavalcanti-montenegro";
const unbrokenName = "Keihanaikukauakahihuliheekahau"; // thirty letters without a hyphen
const sixtyPictures = "/models/6/sixty-pictures";

let testSite: Site;
let folder: string;
before(async () => {
  folder = contentFolder([
    { id: 1, name: "Forty Pictures", pictures: 40, cover: true },
    { id: 2, name: "Without Pictures", pictures: 0 },
    { id: 3, name: "One Picture", pictures: 1 },
    {
      id: 4,
      name: "Only Films",
      pictures: 0,
      video: Array.from({ length: 8 }, (_, i) => ({ provider: "youtube", file: `film-${i}` })),
    },
    { id: 7, name: unbrokenName, pictures: 3, cover: true },
    {
      id: 5,
      name: "Wolfeschlegelsteinhausenbergerdorff de Albuquerque Cavalcanti Montenegro",
      pictures: 3,
    },
    { id: 6, name: "Sixty Pictures", pictures: 60 },
  ]);
  testSite = await startSite({ CONTENT_DIR: folder });
});
after(async () => {
  await testSite.stop();
  rmSync(folder, { recursive: true });
});

/** mockProviders answers requests to video providers and records them. */
async function mockProviders(page: Page): Promise<string[]> {
  const requested: string[] = [];
  await page.route(/^https:/, (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>player</title>" });
  });
  return requested;
}

const withoutForeign = (complaints: string[]) =>
  complaints.filter((text) => !text.startsWith("foreign: https:"));

test("a phone on its side shows a whole picture beside the name", async () => {
  const { page, close } = await visit(browser, site, {
    ...phone,
    viewport: { width: 844, height: 390 },
    bypassCSP: true, // for axe
  });
  for (const path of [saskia, elodie]) {
    await page.goto(path);
    const { x, y, height } = (await page.locator("[data-gallery] a").first().boundingBox())!;
    const name = (await page.locator("h1").boundingBox())!;
    assert.ok(y < 185 && height > 170 && y + height <= 390, `${path}: ${y} to ${y + height}`);
    assert.ok(name.x + name.width <= x && name.y < 200, path);
    await accessible(page, path);
  }
  await close();
});

describe("videos", () => {
  test("request nothing from their provider before the visitor plays one", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    const requested = await mockProviders(page);
    await page.goto(elodie + "?gallery=video");
    const thumbnail = page.locator("[data-gallery=video] li a").nth(1);
    await thumbnail.tap();
    await page.waitForURL(/video=2/);
    await page.locator("[data-gallery=video] li:nth-child(2) a[aria-current=true]").waitFor();
    await page.getByText("The video loads from YouTube when you press play.").waitFor();
    assert.deepEqual(requested, []);

    await page.locator("[data-gallery=video] li a").first().click();
    const play = page.getByRole("link", { name: "Play video" });
    const playerLoaded = page.waitForResponse(/vimeo/);
    await play.tap();
    await playerLoaded;
    await page.locator('iframe[title="Élodie Carpentier, Video 1"]').waitFor();
    await page.locator("[data-gallery=video] li a").nth(1).click();
    await page.locator("iframe").waitFor({ state: "detached" }); // the first video has stopped
    await Promise.all([page.waitForResponse(/youtube-nocookie/), play.click()]);
    const hosts = requested.map((url) => new URL(url));
    assert.deepEqual(
      hosts.map(({ host, pathname }) => host + pathname),
      ["player.vimeo.com/video/871503294", "www.youtube-nocookie.com/embed/El0d1eC_p4r"],
    );
    assert.equal(hosts[0]!.searchParams.get("h"), "6f0c1e92ab");
    assert.deepEqual(withoutForeign(complaints), []);
    await close();
  });
});

describe("booking", () => {
  for (const [name, options] of Object.entries({ phone, laptop: { viewport: { width: 1366, height: 768 } } }))
    test(`the enquiry link is above the fold, ${name}`, async () => {
      const { page, close } = await visit(browser, site, options);
      await page.goto(saskia);
      const enquire = page.getByRole("link", { name: "Ask about Saskia" });
      for (const button of [enquire, page.getByRole("link", { name: "Download composite" })]) {
        const box = (await button.boundingBox())!;
        assert.ok(box.y + box.height <= page.viewportSize()!.height, "above the fold");
      }
      await enquire.click();
      await page.waitForURL(/\/contact\?ids=103$/);
      await page
        .locator('#contact-form li:has([name=ids][value="103"])')
        .filter({ hasText: "Saskia Lindqvist" })
        .waitFor();
      await close();
    });

  test("the fixed buttons on a phone do not cover the focused element", async () => {
    const { page, close } = await visit(browser, site, phone);
    await page.goto(saskia);
    const bar = (await page.locator("#ask").boundingBox())!;
    for (let n = 0; n < 30; n++) {
      await page.keyboard.press("Tab");
      const covered = await page.evaluate((top) => {
        const focused = document.activeElement!;
        const box = focused.getBoundingClientRect();
        return !focused.closest("#ask, footer") && box.height < innerHeight / 2 && box.bottom > top + 1;
      }, bar.y);
      const stuck = ((await page.locator("#ask").boundingBox())?.y ?? 0) >= bar.y - 1;
      assert.ok(!covered || !stuck, `after ${n + 1} tabs`);
    }
    await close();
  });

  test("reports a failure and can be requested again", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto(saskia);
    const button = page.locator('[data-island="composite"] a');
    const failures = [
      (url: RegExp) => page.route(url, (route) => route.abort(), { times: 1 }),
      (url: RegExp) => page.route(url, (route) => route.fulfill({ status: 503 }), { times: 1 }),
      (url: RegExp) =>
        page.route(url, (route) => route.fulfill({ contentType: "text/html", body: "no" }), { times: 1 }),
    ];
    for (const fail of failures) {
      await fail(/\/composite$/);
      await button.click();
      await page.getByRole("alert").getByText("We can’t prepare the composite right now.").waitFor();
      await page.locator('[data-state="idle"]').waitFor();
    }
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert.equal(await download.failure(), null);
    assert.ok(await page.getByText("We can’t prepare the composite right now.").isHidden());
    await close();
  });
});

describe("a profile", () => {
  test("Share copies the address if the system has no share sheet", async () => {
    const { page, complaints, close } = await visit(browser, site, {
      ...desk,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.goto(saskia);
    await page.getByRole("link", { name: "Share" }).press("Enter");
    await page.getByRole("status").getByText("Link copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), site.url + saskia);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("opened from a list preloads the first picture of the next talent", async () => {
    const search = "/models/women?height_from=175&height_to=180";
    const before = await visit(browser, site, desk); // a picture gets its final address once it has been read
    await before.page.goto(search);
    await before.page.goto((await before.page.locator("#board h2 a").nth(1).getAttribute("href"))!);
    await before.page.waitForFunction(
      () => document.querySelector<HTMLImageElement>("[data-gallery] img")!.naturalWidth > 0,
    );
    await before.page.waitForLoadState("load");
    await before.close();

    const { page, close } = await visit(browser, site, desk);
    await page.goto(search);
    await page.locator("#board h2 a").first().click();
    const preloaded = page.locator("main > nav img");
    await page.waitForFunction(
      (img) => (img as HTMLImageElement).naturalWidth > 0,
      await preloaded.elementHandle(),
    );
    const fetched = await preloaded.evaluate((img) => (img as HTMLImageElement).currentSrc);
    await page.locator("[rel=next]").click();
    await page.waitForFunction(
      (src) => document.querySelector<HTMLImageElement>("[data-gallery] img")?.currentSrc === src,
      fetched,
    );
    await close();
  });

  test("prints on one page", async () => {
    for (const [server, path] of [
      [site, saskia],
      [testSite, fortyPictures],
      [testSite, noPictures],
    ] as const) {
      const { page, close } = await visit(browser, server);
      await page.goto(path);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, path);
      await close();
    }
  });

  test("is accessible with any number of pictures and any name", async () => {
    for (const [, options] of widths) {
      const { page, complaints, close } = await visit(browser, testSite, { ...options, bypassCSP: true });
      for (const path of [fortyPictures, noPictures, onePicture, onlyVideos, longName]) {
        await page.goto(path);
        await accessible(page, path);
      }
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test("breaks a very long name into lines of several letters, within the screen", async () => {
    const { page, close } = await visit(browser, testSite, { ...desk, javaScriptEnabled: false });
    for (const path of [
      "/models",
      `/models/7/${unbrokenName.toLowerCase()}`,
      "/favorites/compare?ids=7,5,1,3",
      "/contact?ids=7,5",
    ]) {
      await page.goto(path);
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(async () => {
          // The fallback's letters are wider, and the fonts of texts are requested after the first pictures.
          void document.body.offsetHeight;
          await document.fonts.ready;
        });
        const what = `${path} at ${width} px`;
        await fits(page, what);
        const lines = await page.evaluate((name) => {
          const range = document.createRange();
          const all = [...document.querySelectorAll("main :not(.sr-only)")];
          const shown = all.filter(
            (element) =>
              element.textContent?.replaceAll("\u00ad", "").trim() === name && !element.firstElementChild,
          );
          return shown.map((element) => {
            const letters = new Map<number, number>();
            for (const text of element.childNodes)
              for (let at = 0; at < (text.nodeType === Node.TEXT_NODE ? text.textContent!.length : 0); at++) {
                if (/[\s\u00ad]/.test(text.textContent![at]!)) continue;
                range.setStart(text, at);
                range.setEnd(text, at + 1);
                const { top } = range.getBoundingClientRect();
                letters.set(top, (letters.get(top) ?? 0) + 1);
              }
            return [...letters.values()];
          });
        }, unbrokenName);
        assert.ok(lines.length > 0, `${what} shows the name`);
        assert.ok(Math.min(...lines.flat()) > 2, `${what}: lines of ${lines.join(" and ")} letters`);
      }
    }
    await close();
  });

  test("fills the gallery's rows with whole pictures of one height", async () => {
    const { page, close } = await visit(browser, testSite);
    for (const path of [fortyPictures, sixtyPictures, onePicture, saskia]) {
      await page.goto(path === saskia ? site.url + saskia : path);
      const pictures = await page.locator("[data-gallery=book] img").evaluateAll((all) =>
        (all as HTMLImageElement[]).map((image) => {
          const { width, height } = image.getBoundingClientRect();
          return { width, off: width / height / (Number(image.width) / Number(image.height)) };
        }),
      );
      assert.ok(pictures[0]!.width >= 437, `${path}: ${pictures[0]!.width}`);
      for (const { off } of pictures.slice(3)) assert.ok(Math.abs(off - 1) < 0.03, `${path}: ${off}`);
    }
    await close();
  });
});

/** Shifts is the cumulative layout shift of the page. */
interface Shifts {
  shifts: number;
}

describe("the budgets of a profile", () => {
  test("the layout does not shift while forty pictures load slowly", async (t) => {
    const { page, close } = await visit(browser, testSite, phone);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    const slow = { offline: false, latency: 150, downloadThroughput: 600_000, uploadThroughput: 90_000 };
    await cdp.send("Network.emulateNetworkConditions", slow);
    await page.addInitScript(() => {
      const totals = Object.assign(window, { shifts: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) totals.shifts += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(fortyPictures);
    const items = page.locator("[data-gallery] li img");
    for (let i = 0; i < (await items.count()); i += 4) {
      await items.nth(i).evaluate((image) => image.scrollIntoView({ behavior: "instant" }));
      await items
        .nth(i)
        .evaluate(
          (image: HTMLImageElement) =>
            image.complete || new Promise((resolve) => image.addEventListener("load", resolve)),
        );
    }
    const shifts = await page.evaluate(() => (window as unknown as Shifts).shifts);
    t.diagnostic(`layout shift ${shifts}`);
    assert.equal(shifts.toFixed(2), "0.00");
    await close();
  });

  test("thirty navigations leak no nodes and no event listeners", async (t) => {
    const { page, complaints, close } = await visit(browser, site);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable");
    const count = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      const of = (name: string) => metrics.find((metric) => metric.name === name)!.value;
      return { nodes: of("Nodes"), listeners: of("JSEventListeners") };
    };
    await page.goto(elodie);
    const round = async () => {
      await page.locator("#picture-2 a").click();
      await page.locator("[data-lightbox]").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("[data-lightbox]").waitFor({ state: "detached" });
      await page.locator("article ul[aria-label]").getByRole("link", { name: /Snap/ }).click();
      await page.locator('[data-gallery="snap"]').waitFor();
      await page.goBack();
      await page.locator('[data-gallery="book"]').waitFor();
    };
    for (let n = 0; n < 5; n++) await round();
    const before = await count();
    for (let n = 0; n < 15; n++) await round();
    let after = await count();
    // The last lightbox may still wait to be collected; a leak never goes.
    for (let n = 0; n < 30 && after.nodes > before.nodes * 1.02; n++) after = await count();
    t.diagnostic(`${JSON.stringify(before)} → ${JSON.stringify(after)}`);
    assert.ok(after.nodes <= before.nodes * 1.02, `nodes ${before.nodes} → ${after.nodes}`);
    assert.ok(
      after.listeners <= before.listeners * 1.02,
      `listeners ${before.listeners} → ${after.listeners}`,
    );
    assert.deepEqual(complaints, []);
    await close();
  });
});

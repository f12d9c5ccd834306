// A profile, except for its lightbox: videos, measures, booking, the composite card, sharing, related talents, print;
// and the page's budgets.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { contentFolder } from "./content";
import { browser, site } from "./demo";
import { accessible, desk, fits, phone, reactIsLarger, startSite, visit, type Site } from "./site";

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
  for (const [path, bottom] of [
    [saskia, 390],
    [elodie, 395], // below the tabs of videos
  ] as const) {
    await page.goto(path);
    const { x, y, height } = (await page.locator("[data-gallery] a").first().boundingBox())!;
    const name = (await page.locator("h1").boundingBox())!;
    assert.ok(y < 185 && height > 210 && y + height <= bottom, `${path}: ${y} to ${y + height}`);
    assert.ok(name.x + name.width <= x && name.y < 200, path);
    await accessible(page, path);
  }
  await close();
});

describe("videos", () => {
  for (const [name, options] of widths) {
    test(`request nothing from their provider before the visitor plays one, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, options);
      const requested = await mockProviders(page);
      await page.goto(elodie + "?gallery=video");
      const height = await page
        .locator("[data-gallery=video] > div")
        .first()
        .evaluate((view) => view.clientHeight);
      assert.equal(height, name === "phone" ? 300 : 600);
      const thumbnail = page.locator("[data-gallery=video] li a").nth(1);
      if (name === "phone") await thumbnail.tap();
      else await thumbnail.press("Enter");
      await page.waitForURL(/video=2/);
      await page.locator("[data-gallery=video] li:nth-child(2) a[aria-current=true]").waitFor();
      await page.getByText("The video loads from YouTube when you press play.").waitFor();
      assert.deepEqual(requested, []);

      await page.locator("[data-gallery=video] li a").first().click();
      const play = page.getByRole("link", { name: "Play video" });
      const playerLoaded = page.waitForResponse(/vimeo/);
      if (name === "phone") await play.tap();
      else await play.press("Enter");
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
  }

  test("are links to their providers without JavaScript", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    await page.goto(elodie + "?gallery=video");
    const play = page.getByRole("link", { name: "Play video" });
    assert.equal(await play.getAttribute("href"), "https://vimeo.com/871503294/6f0c1e92ab");
    await page.locator("[data-gallery=video] li a").nth(1).click();
    await page.waitForURL(/video=2/);
    assert.equal(await play.getAttribute("href"), "https://www.youtube.com/watch?v=El0d1eC_p4r");
    await close();
  });

  test("scroll if they do not fit: six on a desktop, two on a phone", async () => {
    for (const [name, options] of widths) {
      const { page, complaints, close } = await visit(browser, testSite, options);
      await page.goto(onlyVideos);
      const shows = (first: number, last: number) =>
        page.waitForFunction(
          ([from, to]) => {
            const thumbnails = [...document.querySelectorAll("[data-gallery=video] li")];
            const viewport = document.querySelector("[data-gallery=video] .swiper")!.getBoundingClientRect();
            return thumbnails.every((thumbnail, i) => {
              const { left, right } = thumbnail.getBoundingClientRect();
              return (left > viewport.left - 2 && right < viewport.right + 2) === (i >= from! && i <= to!);
            });
          },
          [first, last],
        );
      const visible = name === "phone" ? 2 : 6;
      await shows(0, visible - 1);
      await page.getByRole("button", { name: "Next photo" }).click();
      await shows(1, visible);
      assert.deepEqual(complaints, []);
      await close();
    }
  });
});

describe("the buttons of a strip", () => {
  for (const [name, path, duration, options] of [
    ["a gallery", fortyPictures, 500, phone],
    ["videos", onlyVideos, 1000, desk],
  ] as const) {
    const position = (page: Page) =>
      page.locator("[data-gallery] ul").evaluate((row) => Math.round(row.scrollLeft));
    const next = (page: Page) => page.getByRole("button", { name: "Next photo" });
    const width = (page: Page) =>
      page.locator("[data-gallery] li").evaluateAll((slides) => {
        const [first, second] = slides.map((slide) => slide.getBoundingClientRect().left);
        return Math.round(second! - first!);
      });

    test(`move ${name} in ${duration} ms`, async () => {
      const { page, complaints, close } = await visit(browser, testSite, {
        ...options,
        reducedMotion: "no-preference",
      });
      await page.clock.install();
      await page.goto(path);
      await page.locator("[data-gallery] ul").hover();
      await page.locator(":is([data-island=gallery], [data-island=videos])[data-mounted]").waitFor();
      await page.clock.pauseAt(Date.now() + 3_600_000);
      const slide = await width(page);
      await next(page).click();
      let last = 0;
      for (let quarter = 1; quarter < 4; quarter++) {
        await page.clock.runFor(duration / 4);
        const now = await position(page);
        assert.ok(last < now && now < slide, `at ${now} of ${slide} px, after ${last}`);
        last = now;
      }
      await page.clock.runFor(duration / 4 + 40); // two frames
      assert.equal(await position(page), slide);
      await next(page).click();
      await page.clock.runFor(100);
      await page.getByRole("button", { name: "Previous photo" }).click(); // on the way
      await page.clock.runFor(duration + 40);
      assert.equal(await position(page), slide);
      assert.deepEqual(complaints, []);
      await close();
    });

    test(`move ${name} at once if the visitor prefers less motion`, async () => {
      const { page, close } = await visit(browser, testSite, options);
      await page.clock.install();
      await page.goto(path);
      await page.locator("[data-gallery] ul").hover();
      await page.locator(":is([data-island=gallery], [data-island=videos])[data-mounted]").waitFor();
      await page.clock.pauseAt(Date.now() + 3_600_000);
      await next(page).click();
      await page.clock.runFor(40);
      assert.equal(await position(page), await width(page));
      await close();
    });
  }
});

describe("measures", () => {
  const first = (page: Page) =>
    page
      .locator('[data-measure="height"]')
      .evaluate((row) =>
        [...row.querySelectorAll("dd")]
          .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)
          .map((unit) => unit.textContent),
      );

  test("have a column for each unit", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto(saskia);
    assert.deepEqual(await first(page), ["180\u00a0cm", "5′11″"]);
    for (const column of [0, 1]) {
      const ends = await page
        .locator(":is([data-measure=height], [data-measure=bust], [data-measure=waist], [data-measure=hips])")
        .evaluateAll(
          (rows, column) =>
            rows.map((row) => row.querySelectorAll("dd")[column]!.getBoundingClientRect().right),
          column,
        );
      assert.equal(new Set(ends).size, 1);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe("booking", () => {
  for (const [name, options] of widths)
    for (const javaScriptEnabled of [true, false])
      test(`the enquiry link is above the fold, ${name}, JavaScript: ${javaScriptEnabled}`, async () => {
        const { page, close } = await visit(browser, site, {
          ...options,
          ...(name === "desk" && { viewport: { width: 1366, height: 768 } }),
          javaScriptEnabled,
        });
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

  test("a creative has a portfolio instead of a composite, and a profession", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/creative?category=photographer");
    const card = page.locator("[data-talent]", { hasText: "Paolo Santacroce" });
    await card.getByText(/^Photographer\s*“Perfis”\s*$/).waitFor(); // and the work on the card
    await card.locator("h2 a").click();
    await page.locator("header p", { hasText: "Photographer" }).waitFor();
    await page.getByRole("link", { name: "Download composite" }).waitFor();
    assert.equal(await page.getByRole("link", { name: /^Snap/ }).count(), 0, "no snaps of a creative");
    await close();
  });

  for (const javaScriptEnabled of [true, false])
    test(`a creative's works have captions, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      for (const options of [phone, desk]) {
        const { page, close } = await visit(browser, site, { ...options, javaScriptEnabled });
        await page.goto("/es/creative/139");
        const work = page.locator("#picture-2");
        await work.scrollIntoViewIfNeeded();
        if (javaScriptEnabled) {
          await work.hover();
          await page.locator("[data-gallery][class*=initialized]").waitFor();
        }
        const caption = work.getByText(/^02\s*“Contraluz” · Editorial, 2026\s+Modelo: Iñaki Etxeberria$/);
        assert.ok(await caption.isVisible());
        const [picture, captionBox] = [
          (await work.locator("img").boundingBox())!,
          (await caption.boundingBox())!,
        ];
        const strip = (await page.locator("[data-gallery] > ul, [data-gallery]").last().boundingBox())!;
        assert.ok(captionBox.y >= picture.y + picture.height, "the caption is below its picture");
        assert.ok(
          captionBox.y + captionBox.height <= strip.y + strip.height,
          "the caption is within the gallery",
        );
        const [first, third] = await Promise.all(
          ["#picture-1", "#picture-3"].map((one) => page.locator(one).boundingBox()),
        );
        assert.ok(first!.y + first!.height <= picture.y, "the second work is below the first");
        if (options === phone) {
          assert.ok(captionBox.y + captionBox.height <= third!.y, "the third work is below the second");
          assert.equal(await page.locator("[data-step]").count(), 0, "there is no strip");
        }
        await close();
      }
    });
});

describe("the composite card", () => {
  for (const [name, options] of widths) {
    test(`downloads by keyboard and by touch, with a spinner meanwhile, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, options);
      await page.goto("/models/109/agata-moreira");
      const button = page.locator('[data-island="composite"] a');
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/composite$/, async (route) => {
        await released;
        await route.continue();
      });
      if (name === "phone") await button.tap();
      else await button.press("Enter");
      await page.locator('[data-state="sending"]').waitFor();
      assert.equal((await button.innerText()).trim(), "Preparing the composite");
      const [download] = await Promise.all([page.waitForEvent("download"), Promise.resolve(release())]);
      assert.equal(download.suggestedFilename(), "Ágata Moreira-Best-Management.zip");
      const zip = readFileSync(await download.path());
      for (const file of ["Ágata-Moreira-card.pdf", "Ágata-Moreira-front.jpg", "Ágata-Moreira-back.jpg"])
        assert.ok(zip.includes(file), file);
      await page.locator('[data-state="idle"]').waitFor();
      assert.equal((await button.innerText()).trim(), "Download composite");
      assert.deepEqual(complaints, []);
      await close();
    });
  }

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

  test("shows up to six others of the same board, kids with kids", async () => {
    const { page, close } = await visit(browser, site);
    for (const [path, board] of [
      [saskia, "/models/women"],
      ["/models/121/bento-carvalho", "/models/kids"],
    ] as const) {
      await page.goto(board + "?show=100");
      const listed = await page
        .locator("[data-talent]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-talent")));
      await page.goto(path);
      const shown = await page
        .locator("article + section li a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href")!.split("/")[2]!));
      assert.ok(shown.length > 0 && shown.length <= 6);
      assert.ok(!shown.includes(path.split("/")[2]!), "not the talent itself");
      assert.deepEqual(
        shown.filter((id) => !listed.includes(id)),
        [],
      );
      assert.equal(await page.locator("article + section a").first().getAttribute("href"), board);
    }
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
      "/models?view=sheet",
      "/models?view=names",
      `/models/7/${unbrokenName.toLowerCase()}`,
      "/favorites?ids=7,5,1",
      "/favorites/compare?ids=7,5,1,3",
      "/contact?ids=7,5",
    ]) {
      await page.goto(path);
      for (const width of [320, 390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(async () => {
          // The fallback's letters are wider, and the fonts of texts are requested after the first frame's animation.
          await Promise.all(document.getAnimations().map(({ finished }) => finished));
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

  test("does not break a name inside a word", async () => {
    const { page, close } = await visit(browser, site);
    for (const width of [320, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/models/136/ines-vasconcelos");
      const lines = await page.locator("h1").evaluate((heading) => {
        const range = document.createRange();
        const text = heading.firstChild!;
        range.setStart(text, text.textContent!.indexOf(" ") + 1);
        range.setEnd(text, text.textContent!.length);
        return range.getClientRects().length;
      });
      assert.equal(lines, 1, `at ${width} px`);
    }
    await close();
  });

  test("fills the gallery's rows with whole pictures of one height", async () => {
    const { page, close } = await visit(browser, testSite);
    for (const path of [fortyPictures, sixtyPictures, onePicture, saskia]) {
      await page.goto(path === saskia ? site.url + saskia : path);
      const rows = await page.locator("[data-gallery=book] > ul").evaluate((list) => {
        const gallery = list.getBoundingClientRect();
        const rows = new Map<number, { bottoms: number[]; right: number }>();
        for (const item of list.children) {
          const { top, bottom, right } = item.getBoundingClientRect();
          const row = rows.get(Math.round(top)) ?? { bottoms: [], right: 0 };
          rows.set(Math.round(top), { bottoms: [...row.bottoms, bottom], right: right - gallery.left });
        }
        return { width: gallery.width, rows: [...rows.values()] };
      });
      for (const { bottoms, right } of rows.rows) {
        assert.ok(Math.max(...bottoms) - Math.min(...bottoms) < 1, "a row has one height");
        if (path !== onePicture) assert.ok(rows.width - right < 2, `${path}: the row ends at ${right}`);
      }
    }
    await close();
  });

  test("keeps the order of the book in the gallery's rows", async () => {
    const { page, close } = await visit(browser, testSite);
    await page.goto(sixtyPictures);
    const tops = await page
      .locator("[data-gallery] li")
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
    assert.equal(tops.length, 60);
    tops.forEach((top, i) => assert.ok(i === 0 || top >= tops[i - 1]! - 1, `picture ${i + 1}`));
    await close();
  });
});

/** Shifts is the cumulative layout shift of the page. */
interface Shifts {
  shifts: number;
}

describe("the budgets of a profile", () => {
  for (const [name, options] of widths) {
    test(`the layout does not shift while forty pictures load slowly, ${name}`, async (t) => {
      const { page, close } = await visit(browser, testSite, options);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Network.enable");
      const slow = { offline: false, latency: 150, downloadThroughput: 600_000, uploadThroughput: 90_000 };
      await cdp.send("Network.emulateNetworkConditions", slow);
      await page.addInitScript(() => {
        const totals = Object.assign(window, { shifts: 0 });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            totals.shifts += (entry as unknown as { value: number }).value;
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

    test(
      `at most 17 KB of script load before the first interaction, ${name}`,
      { skip: reactIsLarger },
      async (t) => {
        const { page, close } = await visit(browser, testSite, options);
        const sizes: number[] = [];
        page.on("response", async (answer) => {
          if (answer.url().endsWith(".js")) sizes.push((await answer.request().sizes()).responseBodySize);
        });
        await page.goto(fortyPictures, { waitUntil: "networkidle" });
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        t.diagnostic(`${bytes} bytes of script`);
        assert.ok(bytes > 0 && bytes <= 17 * 1024, `${bytes} bytes`);
        await close();
      },
    );
  }

  test("sixty navigations leak no nodes and no event listeners", async (t) => {
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
    for (let n = 0; n < 30; n++) await round();
    const after = await count();
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

// The main journey of a visitor, with and without JavaScript, and the layout of screens.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { contentFolder } from "./content";
import { browser, site } from "./demo";
import { desk, fits, phone, prefixes, startSite, visit } from "./site";

describe("without JavaScript", () => {
  for (const [name, options] of Object.entries({ phone, desk })) {
    test(`a visitor gets from home to a download of a composite, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, {
        ...options,
        javaScriptEnabled: false,
      });
      await page.goto("/");
      await page.getByRole("link", { name: "Models", exact: true }).first().click();
      await page.locator('[data-filter="gender:woman"]').click();
      await page.getByRole("heading", { level: 1, name: "Women" }).waitFor();
      await page.locator('[data-filter="subcategory:curve"]').click();
      await page.locator('[data-filter="subcategory:curve"][aria-current=true]').waitFor();
      const letter = page.locator("a[data-letter]").first();
      const chosen = await letter.getAttribute("data-letter");
      await letter.click();
      await page.locator("[data-letter][aria-current]").waitFor();
      const card = page.locator("[data-talent]").first();
      const talent = (await card.locator("h2").textContent()) ?? "";
      assert.equal(talent.normalize("NFD")[0], chosen);
      await card.locator("h2 a").click();
      await page.getByRole("heading", { level: 1, name: talent }).waitFor();
      await page.getByRole("heading", { name: /^Digitals, \w+ 2026$/ }).waitFor();
      await page.locator('[data-gallery="snap"] img').first().waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download composite" }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `${talent}-Best-Management.zip`);
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test("the menu opens and its links work", async () => {
    const { page, close } = await visit(browser, site, { ...phone, javaScriptEnabled: false });
    await page.goto("/about");
    await page.getByRole("link", { name: "Menu" }).click();
    await page.locator("#menu").getByRole("link", { name: "Kids" }).click();
    await page.waitForURL("**/models/kids");
    await close();
  });
});

describe("with JavaScript", () => {
  test("the menu is a dialog that takes the focus, and Escape returns it", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto("/models");
    const button = page.locator("[data-menu=open]");
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("#menu :focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#menu").waitFor({ state: "hidden" });
    await page.locator("[data-menu=open]:focus").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("a boosted navigation keeps the document, focuses the heading and scrolls to the top", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto("/models");
    await page.evaluate(() => Object.assign(window, { same: true }));
    await page.evaluate(() => scrollTo(0, 900));
    await page.locator("[data-talent] h2 a").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/\d+\//);
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    await page.waitForFunction(() => scrollY === 0);
    assert.equal(await page.evaluate(() => (window as unknown as { same?: boolean }).same), true);
    await page.locator("[data-back]").click();
    await page.waitForURL(/\/models$/);
    await page.locator("[data-filter=all]").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("htmx comes after the first paint, and until then links are plain links", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/models", { waitUntil: "networkidle" });
    const [painted, asked] = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
      performance.getEntriesByType("resource").find(({ name }) => name.includes("/htmx."))!.startTime,
    ]);
    assert.ok(painted <= asked, `painted after ${painted} ms, asked after ${asked} ms`);
    await page.route("**/static/htmx.*.js", () => undefined); // never arrives
    await page.reload();
    await page.evaluate(() => Object.assign(window, { same: true }));
    await page.locator("[data-talent] h2 a").first().click();
    await page.waitForURL(/\/models\/\d+\//);
    assert.equal(await page.evaluate(() => (window as unknown as { same?: boolean }).same), undefined);
    await close();
  });

  test("a new page is painted at its top, whole, and Back returns to the place", async () => {
    const { page, complaints, close } = await visit(browser, site, {
      ...desk,
      reducedMotion: "no-preference",
    });
    // The scroll positions in the first 20 frames with the new heading, and how much of the page is there.
    const painted = (before: string) =>
      page.evaluate(async (before) => {
        const frames = new Set<string>();
        for (let n = 0; n < 20;) {
          await new Promise(requestAnimationFrame);
          if (document.querySelector("h1")?.textContent === before) continue;
          frames.add(`${Math.round(scrollY)} ${getComputedStyle(document.querySelector("main")!).opacity}`);
          n++;
        }
        return [...frames];
      }, before);
    await page.goto("/models", { waitUntil: "networkidle" });
    await page.evaluate(() => scrollTo({ top: 2000, behavior: "instant" }));
    const forward = painted("Models");
    // Not playwright's click, which may scroll the page first.
    await page
      .locator("[data-talent] h2 a")
      .nth(4)
      .evaluate((link: HTMLElement) => link.click());
    for (const frame of await forward) assert.match(frame, /^(\d{1,2}|1\d\d|2[0-3]\d|240) 1$/); // glides
    await page.waitForFunction(() => scrollY === 0);
    const name = (await page.locator("h1").textContent())!;
    // A visitor's last frame is painted before the next step.
    await page.evaluate(async () => {
      scrollTo({ top: 300, behavior: "instant" });
      await new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
    });
    let back = painted(name);
    await page.goBack();
    assert.deepEqual(await back, ["2000 1"]);
    back = painted("Models");
    await page.goForward();
    assert.deepEqual(await back, ["300 1"]);
    back = painted(name);
    await page.locator("[data-back=list]").first().click(); // the list is the page before
    assert.deepEqual(await back, ["2000 1"]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("a link to the page itself adds nothing to the history", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/models/women?q=inez", { waitUntil: "networkidle" });
    const before = await page.evaluate(() => history.length);
    await page.locator("#finder summary").click();
    await page.getByRole("button", { name: /^Show/ }).click();
    await page.locator("#find-name").waitFor({ state: "hidden" });
    await page.waitForLoadState("networkidle");
    assert.equal(await page.evaluate(() => history.length), before);
    await close();
  });

  test("switching the language keeps the page and its filters", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/models/women?subcategory=fit&letter=B");
    await page.locator("footer [data-language=pt]").click();
    await page.waitForURL(/\/pt\/mulheres\?/);
    assert.equal(await page.locator("html").getAttribute("lang"), "pt");
    assert.equal(await page.locator('[data-filter="subcategory:fit"]').getAttribute("aria-current"), "true");
    await close();
  });

  test("the progress bar turns red with a message if a page fails to load", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/models");
    await page.route("**/about", (route) => route.abort());
    await page.locator("header nav").getByRole("link", { name: "About" }).click();
    await page.locator('[aria-hidden][data-state="failed"]').waitFor();
    assert.ok(await page.locator("#failed").isVisible());
    await close();
  });
  for (const script of ["site-", "htmx."])
    test(`a step back before ${script}*.js has loaded leads to the page of the address`, async () => {
      const { page, complaints, close } = await visit(browser, site);
      await page.goto("/about");
      await page.locator("header a[href='/contact']").first().click();
      await page.waitForURL("/contact");
      let release!: () => void;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(`**/${script}*.js`, async (route) => {
        await held;
        await route.continue();
      });
      await page.reload({ waitUntil: script === "site-" ? "commit" : "load" });
      await page.getByRole("heading", { level: 1, name: "Contact" }).waitFor();
      await page.evaluate(() => history.back());
      await page.waitForURL("/about", { waitUntil: "commit" });
      release();
      await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
      assert.deepEqual(complaints, []);
      await close();
    });
});

test("going offline and online is announced without a layout shift", async () => {
  const { page, complaints, close } = await visit(browser, site);
  await page.goto("/pt/sobre-nos", { waitUntil: "networkidle" });
  const status = page.locator("#connection");
  assert.ok(await status.isHidden());
  const before = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.context().setOffline(true);
  await status.getByText("Você está sem conexão.").waitFor();
  assert.equal(await status.getAttribute("role"), "status");
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), before);
  await page.context().setOffline(false);
  await status.getByText("Você está online de novo.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

describe("the loading indicator of a language change", () => {
  /** Chooses Portuguese, whose page never loads, and waits for the indicator. The clock is paused. */
  const choose = async (page: Page) => {
    let release = () => {};
    const pressed = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/chunk-*.js", (route) => pressed.then(() => route.continue())); // its script comes later
    await page.clock.install();
    await page.goto("/about", { waitUntil: "networkidle" }); // htmx holds clicks until it is there
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.route("**/pt/**", (route) => route.abort("aborted"));
    await page.locator("footer [data-language=pt]").click({ noWaitAfter: true });
    await page.clock.runFor(1); // the script is asked for in a task of its own
    release();
    await page.locator("#loading").waitFor();
  };

  test("is shown for at most 600 ms", async () => {
    const { page, close } = await visit(browser, site);
    await choose(page);
    await page.clock.runFor(600);
    await page.locator("#loading").waitFor({ state: "hidden" });
    assert.equal(new URL(page.url()).pathname, "/about");
    assert.ok(await page.locator("h1").isVisible());
    await close();
  });

  test("is hidden by Escape, which cancels the navigation", async () => {
    const { page, close } = await visit(browser, site);
    await choose(page);
    await page.keyboard.press("Escape");
    await page.locator("#loading").waitFor({ state: "hidden" });
    await close();
  });
});

describe("spacing", () => {
  test("the menu's subordinate boards are nearest to their own board", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/about");
    await page.locator("[data-menu=open]").click();
    await page.locator("#menu[open]").waitFor();
    const edgesOf = async (name: string) => {
      const link = page.locator("#menu").getByRole("link", { name, exact: true });
      const { y, height } = (await link.boundingBox())!;
      return { top: y, bottom: y + height };
    };
    const [models, women, creative, apply, about] = await Promise.all(
      ["Models", "Women", "Creative", "Become a model", "About"].map(edgesOf),
    );
    assert.equal(Math.round(women!.top - models!.bottom), -4, "their paddings overlap");
    assert.equal(Math.round(creative!.top - women!.bottom), 14);
    assert.equal(Math.round(apply!.top - creative!.bottom), 6);
    assert.equal(Math.round(about!.top - apply!.bottom), 6);
    await close();
  });

  test("a post's link back has its own row, and related posts are aligned", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/blog/news/a-primeira-temporada-de-adaeze");
      const back = (await page.locator("main article header a").first().boundingBox())!;
      const title = (await page.locator("h1").boundingBox())!;
      assert.equal(Math.round(title.y - back.y - back.height), 24, `at ${width} px`);
    }
    const tops = await page
      .locator("main header + div article")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().top));
    assert.equal(tops.length, 3);
    assert.equal(new Set(tops).size, 1);
    await close();
  });

  test("the blog has two columns from 650 px, and its first post spans both", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    await page.goto("/blog");
    for (const [width, columns] of [
      [649, 1],
      [650, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const [first, second, third] = await page
        .locator("#posts > article")
        .evaluateAll((all) => all.slice(0, 3).map((element) => element.getBoundingClientRect()));
      assert.equal(second!.top === third!.top ? 2 : 1, columns, `at ${width} px`);
      assert.equal(Math.round(first!.width), Math.round(third!.right - second!.left || first!.width));
    }
    await close();
  });

  test("measures are at most 480 px wide", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    await page.goto("/models/101");
    for (const width of [390, 820, 1023, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await page.locator("main dl").first().boundingBox())!.width <= 480, `at ${width} px`);
    }
    await close();
  });
});

describe("text on a phone in every language", () => {
  const checkLanguages = async (path: string, check: (page: Page) => Promise<void>) => {
    const { page, close } = await visit(browser, site, { ...phone, javaScriptEnabled: false });
    for (const prefix of prefixes) {
      await page.goto(prefix + path);
      await check(page);
    }
    await close();
  };

  test("a board's name, count and view switch are on one line", async () => {
    for (const board of ["/models", "/models/women", "/models/men", "/models/kids"])
      await checkLanguages(board, async (page) => {
        const bottoms = await page
          .locator("main header > :is(h1, #count, ul)")
          .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().bottom));
        assert.equal(
          bottoms.length,
          board === "/models/kids" ? 2 : 3,
          "below twelve people there are no views",
        );
        assert.ok(Math.max(...bottoms) - Math.min(...bottoms) < 24, `${page.url()}: ${bottoms.join()}`);
      });
  });

  test("a comparison of four breaks no word", async () => {
    await checkLanguages("/favorites/compare?ids=101,106,118,120", async (page) => {
      const broken = await page.locator("#lineup tbody td").evaluateAll((cells) =>
        cells.flatMap((cell) => {
          const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          const found: string[] = [];
          while (texts.nextNode()) {
            const text = texts.currentNode as Text;
            for (const word of text.data.matchAll(/\p{L}+/gu)) {
              const range = document.createRange();
              range.setStart(text, word.index);
              range.setEnd(text, word.index + word[0].length);
              if (range.getClientRects().length > 1) found.push(word[0]);
            }
          }
          return found;
        }),
      );
      assert.deepEqual(broken, [], page.url());
    });
  });

  test("the dot between the links of a form's terms never starts a line", async () => {
    for (const form of ["/contact", "/be-a-model"])
      await checkLanguages(form, async (page) => {
        const [before, dot] = await page
          .locator("main form p", { has: page.locator("a + a") })
          .last()
          .evaluate((terms) => {
            const range = document.createRange();
            const [first, second] = terms.querySelectorAll("a");
            range.setStartAfter(first!);
            range.setEndBefore(second!);
            return [[...first!.getClientRects()].at(-1)!.bottom, range.getClientRects()[0]!.bottom];
          });
        assert.equal(dot, before, page.url());
      });
  });
});

test("forced colours underline only current items", async () => {
  const { page, close } = await visit(browser, site, { ...desk, forcedColors: "active" });
  const underlined = (links: string) =>
    page.locator(links).evaluateAll((all) =>
      all
        .filter((element) =>
          [element, ...element.querySelectorAll("span")].some((candidate) => {
            const { borderBottomWidth, textDecorationLine } = getComputedStyle(candidate);
            return parseFloat(borderBottomWidth) > 0 || textDecorationLine.includes("underline");
          }),
        )
        .map((element) => element.getAttribute("aria-current") !== null),
    );
  for (const [path, links] of [
    ["/models/women", "[data-filter]"],
    ["/about", "header nav a"],
    ["/models/101", "main ul[aria-label] > li > a[href*='/models/101']"],
    ["/blog", "main ul a[href*='/blog']:not([href*='feed'])"],
  ] as const) {
    await page.goto(path);
    await page.mouse.move(0, 899);
    assert.ok((await page.locator(links).count()) > 1, path);
    const shown = await underlined(links);
    assert.ok(shown.length > 0 && shown.every(Boolean), `${path}: ${shown.join(", ")}`);
  }
  await close();
});

describe("a long agency name", () => {
  for (const agency of ["Nakamura International", "Vandermeer & Nakamura International"])
    test(`of ${agency.length} letters does not overlap the heart and the menu`, async (t) => {
      const folder = contentFolder([{ id: 1, name: "Ana Silva", pictures: 1 }]);
      writeFileSync(join(folder, "agency.yaml"), `name: ${agency}\n`);
      const longNameSite = await startSite({ CONTENT_DIR: folder });
      t.after(async () => {
        await longNameSite.stop();
        rmSync(folder, { recursive: true });
      });
      const { page, close } = await visit(browser, longNameSite);
      for (const path of ["/", "/models/women", "/about"]) {
        await page.goto(path);
        for (const width of [320, 390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 844 });
          await fits(page, `${path} at ${width}`);
          const [logo, heart, menu] = await Promise.all(
            ["header > :first-child", "header a:has([data-island=favorites])", "[data-menu=open]"].map(
              (element) => page.locator(element).first().boundingBox(),
            ),
          );
          assert.ok(
            logo!.x + logo!.width <= heart!.x + 0.5,
            `${path} at ${width}: the logo overlaps the heart`,
          );
          assert.ok(menu!.x + menu!.width <= width, `${path} at ${width}: the menu is off the screen`);
        }
      }
      await close();
    });
});

describe("home", () => {
  test("does not cover the middle of its pictures with the titles", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [844, 390], // a phone in landscape
      [720, 450], // a laptop at 200 %
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto("/", { waitUntil: "networkidle" });
      const halves = await page.locator("main section").evaluateAll((all) =>
        all.map((half) => {
          const img = half.querySelector("img")!;
          const box = img.getBoundingClientRect();
          const scale = Math.max(box.width / img.naturalWidth, box.height / img.naturalHeight);
          const cropped = img.naturalHeight * scale - box.height;
          const above = (cropped * parseFloat(getComputedStyle(img).objectPosition.split(" ")[1]!)) / 100;
          const middle = box.top + (img.naturalHeight * scale) / 2 - above;
          return half.querySelector("h2")!.parentElement!.getBoundingClientRect().top - middle;
        }),
      );
      for (const distance of halves)
        assert.ok(distance > 0, `at ${width} px the title covers it by ${-distance} px`);
    }
    await close();
  });

  test("shows its footer while the focus is inside", async () => {
    const { page, close } = await visit(browser, site, desk);
    await page.goto("/");
    const link = page.locator("footer a").first();
    const footerFrame = page.locator("body > div:has(> footer)");
    assert.ok((await footerFrame.boundingBox())!.height <= 1);
    await link.focus();
    const box = (await link.boundingBox())!;
    assert.ok((await footerFrame.boundingBox())!.height > 40);
    assert.ok(box.height > 10 && box.y + box.height <= 900 && box.y > 450, JSON.stringify(box));
    await close();
  });

  test("puts its halves side by side in landscape, with the languages in a corner", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto("/");
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [844, 390],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const [first, second] = await page
        .locator("main section")
        .evaluateAll((halves) => halves.map((half) => half.getBoundingClientRect().top));
      assert.equal(first === second, width > height, `at ${width} px`);
      const corner = (await page.locator("header [data-language=pt]").boundingBox())!;
      assert.ok(corner.y + corner.height <= height && corner.x > width / 2);
      await fits(page, `home at ${width}`);
    }
    await close();
  });
});

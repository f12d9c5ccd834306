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
  test("a visitor gets from home to a download of a composite", async () => {
    const { page, complaints, close } = await visit(browser, site, { ...phone, javaScriptEnabled: false });
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
    await page.getByRole("link", { name: "Snaps" }).click();
    await page.getByText(/^Digitals, \w+ 2026$/).waitFor();
    await page.locator('[data-gallery="snap"] img').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download composite" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `${talent}-Best-Management.zip`);
    assert.deepEqual(complaints, []);
    await close();
  });

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

  test("until htmx is there links are plain links", async () => {
    const { page, close } = await visit(browser, site);
    await page.route("**/static/htmx.*.js", () => undefined); // never arrives
    await page.goto("/models");
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
    const forward = painted("Models: All");
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
    back = painted("Models: All");
    await page.goForward();
    assert.deepEqual(await back, ["300 1"]);
    back = painted(name);
    await page.locator("[data-back]").click();
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

describe("text on a phone in every language", () => {
  const checkLanguages = async (path: string, check: (page: Page) => Promise<void>) => {
    const { page, close } = await visit(browser, site, { ...phone, javaScriptEnabled: false });
    for (const prefix of prefixes) {
      await page.goto(prefix + path);
      await check(page);
    }
    await close();
  };

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
  test("does not overlap the heart and the menu", async (t) => {
    const folder = contentFolder([{ id: 1, name: "Ana Silva", pictures: 1 }]);
    writeFileSync(join(folder, "agency.yaml"), "name: Vandermeer & Nakamura International\n");
    const longNameSite = await startSite({ CONTENT_DIR: folder });
    t.after(async () => {
      await longNameSite.stop();
      rmSync(folder, { recursive: true });
    });
    const { page, close } = await visit(browser, longNameSite);
    for (const path of ["/", "/models/women"]) {
      await page.goto(path);
      for (const width of [320, 1024]) {
        await page.setViewportSize({ width, height: 844 });
        await fits(page, `${path} at ${width}`);
        const [logo, heart, menu] = await Promise.all(
          ["header > :first-child", "header a:has([data-count])", "[data-menu=open]"].map((element) =>
            page.locator(element).first().boundingBox(),
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
});

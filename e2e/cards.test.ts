// Cards, the filter bar that hides while scrolling, the keyboard, names for screen readers, and the size of a list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { broken, browser, open, oracle, press, settled, site } from "./agency";
import type { State } from "./oracle";
import { accessible, axe, desk, fits, phone, visit } from "./site";

const models: State = { board: "models" };
const list = oracle.list(models);
const talent = (id: string) => oracle.talents.find((one) => one.id === id)!;

describe("cards", () => {
  test("a picture that fails to load is replaced by the default one without JavaScript", async () => {
    const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    const statuses: number[] = [];
    page.on("response", (response) => statuses.push(response.status()));
    await page.goto("/models");
    const card = page.locator(`[data-talent="${broken}"]`);
    await card.scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    const width = await card.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
    assert.ok(width > 0, "a picture is shown");
    assert.ok(statuses.includes(404), "the talent's own picture is not found");
    await close();
  });

  test("nothing shifts while pictures load and the list grows", async () => {
    const { page, close } = await open("/models");
    await page.evaluate(() => {
      interface Shift extends PerformanceEntry {
        value: number;
        sources: { node?: Node }[];
      }
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((entries) => {
        for (const { value, sources } of entries.getEntries() as Shift[])
          for (const { node } of sources) {
            const element = node instanceof Element ? node : node?.parentElement;
            if (value > 0.005) moved.push(element?.outerHTML ?? "gone");
          }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.waitForLoadState("networkidle");
    while ((await page.locator("#board > li").count()) < 40) {
      await page.mouse.wheel(0, 40); // in each frame, as a finger
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.waitForLoadState("networkidle");
    assert.equal(await page.locator("#board > li").count(), 40);
    assert.deepEqual(await page.evaluate(() => (window as unknown as { moved: string[] }).moved), []);
    await close();
  });

  test("measures lie at the picture's foot on hover and focus, and on touch screens always", async () => {
    const id = list.find((one) => talent(one).gender && talent(one).measures.height)!;
    const { page, close } = await open("/models");
    const card = page.locator(`[data-talent="${id}"]`);
    const panel = card.locator("dl");
    const opacity = async (expected: string) => {
      const element = await panel.elementHandle();
      await page.waitForFunction(
        ([element, expected]) => getComputedStyle(element as HTMLElement).opacity === expected,
        [element, expected] as const,
      );
    };
    await page.mouse.move(1, 1);
    await opacity("0");
    await card.hover();
    await opacity("1");
    await page.mouse.move(1, 1);
    await opacity("0");
    await card.locator("h2 a").focus();
    await opacity("1");
    await close();

    const touch = await visit(browser, site, { ...phone, javaScriptEnabled: false });
    await touch.page.goto("/models");
    const touchCard = touch.page.locator(`[data-talent="${id}"]`);
    const line = touchCard.locator("dl");
    assert.equal(await line.evaluate((one) => getComputedStyle(one).opacity), "1");
    const foot = (box: { y: number; height: number } | null) => Math.round(box!.y + box!.height);
    assert.equal(foot(await line.boundingBox()), foot(await touchCard.locator(".portrait").boundingBox()));
    await touch.close();
  });
});

describe("the filter bar on a phone", () => {
  // Each step scrolls to a position and states whether the bar is visible there.
  const bar = async (script: boolean, steps: [y: number, seen: boolean][], height = 844) => {
    const { page, close } = await visit(browser, site, {
      ...phone,
      viewport: { width: 390, height },
      javaScriptEnabled: script,
    });
    await page.goto("/models");
    for (const [y, expected] of steps) {
      await page.evaluate(
        ([y, script]) =>
          new Promise<void>((done) => {
            // The page would see two scrolls within a frame as one.
            if (script) addEventListener("scroll", () => done(), { once: true });
            scrollTo(0, y);
            if (!script) done();
          }),
        [y, script] as const,
      );
      await page.waitForFunction(
        (expected) => Boolean(document.elementFromPoint(100, 20)?.closest("#filters")) === expected,
        expected,
      );
    }
    await close();
  };
  test("hides while scrolling down and returns while scrolling up", async () => {
    await bar(true, [
      [600, false],
      [900, false],
      [700, true],
      [1200, false],
    ]);
  });
  test("stays visible without JavaScript", async () => {
    await bar(false, [
      [600, true],
      [900, true],
    ]);
  });
  test("is not sticky on a low screen", async () => {
    await bar(
      true,
      [
        [600, false],
        [400, false],
      ],
      450,
    );
  });
});

describe("accessibility and size", () => {
  test("filters, search, hearts and links work by keyboard alone", async () => {
    const { page, close } = await open("/models");
    const tabTo = async (selector: string) => {
      for (let tries = 0; tries < 120; tries++) {
        if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`the keyboard does not reach ${selector}`);
    };
    await tabTo('[data-filter="gender:woman"]');
    await page.keyboard.press("Enter");
    let state: State = { ...models, gender: "woman" };
    await settled(page, state);
    await tabTo('[data-filter="subcategory:fit"]');
    await page.keyboard.press("Enter");
    state = { ...state, subcategory: "fit" };
    await settled(page, state);
    const letter = oracle.letters(state)[0]!;
    await tabTo(`[data-letter="${letter}"]`);
    await page.keyboard.press("Enter");
    await settled(page, { ...state, letter });
    await page.keyboard.press("Enter");
    await settled(page, state);
    await tabTo("#finder summary");
    await page.keyboard.press("Enter");
    await tabTo("#find-name");
    await page.keyboard.type("a");
    await settled(page, { ...state, q: "a" });
    await tabTo("[data-talent] [aria-pressed]");
    await page.keyboard.press("Space");
    await page.locator("[aria-pressed=true]:focus").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/\d+\//);
    await close();
  });

  const states = [
    "/models/women?subcategory=fit&letter=A",
    "/models?q=nobody+at+all&height_from=199&hair=red&eyes=blue",
    "/pt/homens?height_to=180",
  ];
  for (const [name, options] of Object.entries({ phone, desk })) {
    test(`filter states have no accessibility violation and fit the width, ${name}`, async () => {
      const { page, close } = await visit(browser, site, { ...options, bypassCSP: true });
      for (const path of states) {
        await page.goto(path);
        if (!(await page.locator("#finder[open]").count())) await page.locator("#finder summary").click();
        await (/^\/(pt|es)/.test(path) ? fits : accessible)(page, path);
      }
      await page.goto("/models");
      await press(page, models, "gender:man");
      assert.deepEqual(await axe(page), [], "after a filter change");
      await close();
    });
  }
});

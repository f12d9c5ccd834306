// The behaviour of a talent's card, with the demo's pictures.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { browser, site } from "./demo";
import { accessible, desk, phone, textFonts, visit } from "./site";

/** Moved is an element that a view transition moved. duration is in ms. */
interface Moved {
  what: string;
  duration: number;
}

/** recordTransitions records what each view transition of a page moves. */
async function recordTransitions(page: Page): Promise<() => Promise<Moved[][]>> {
  await page.addInitScript(() => {
    const moved: Moved[][] = [];
    Object.assign(window, { moved });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      void transition.ready.then(() => {
        const effects = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
        moved.push(
          effects
            .filter(({ pseudoElement }) => pseudoElement?.startsWith("::view-transition-group"))
            .map((effect) => ({
              what: effect.pseudoElement!,
              duration: Number(effect.getTiming().duration),
            })),
        );
      });
      return transition;
    };
  });
  return () => page.evaluate(() => (window as unknown as { moved: Moved[][] }).moved);
}

/** ready waits for the scripts of the cards, which the first interaction loads. */
const ready = (page: Page) =>
  page.waitForFunction(() => {
    const loaded = performance.getEntriesByType("resource");
    return document.readyState === "complete" && loaded.some(({ name }) => name.includes("/chunk-"));
  });

describe("the view transition of a card's picture", () => {
  const picture = [{ what: "::view-transition-group(picture)", duration: 320 }];
  const link = (page: Page) => page.locator("#board [data-talent] h2 a").nth(4);

  test("grows into the profile's first picture and shrinks back on return", async () => {
    const { page, complaints, close } = await visit(browser, site, {
      ...phone,
      reducedMotion: "no-preference",
    });
    const moved = await recordTransitions(page);
    await page.goto("/models/women");
    await link(page).scrollIntoViewIfNeeded();
    await link(page).focus();
    await Promise.all([ready(page), textFonts(page)]);
    const scrolled = await page.evaluate(() => scrollY);
    const talent = (await link(page).textContent())!;
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: talent }).waitFor();
    await page.waitForFunction(() => (window as unknown as { moved: Moved[][] }).moved.length === 1);
    assert.deepEqual(await moved(), [picture]);
    await page.waitForFunction(() => scrollY === 0); // it glides
    assert.equal(await page.evaluate(() => document.activeElement?.localName), "h1");

    await page.waitForFunction(() => {
      const moving = document.querySelector('[style*="view-transition-name"]');
      return !moving && document.querySelector<HTMLImageElement>("main > [data-talent] img")!.complete;
    }); // a picture that is not loaded is not animated
    await page.goBack();
    await link(page).waitFor();
    await page.waitForFunction(() => (window as unknown as { moved: Moved[][] }).moved.length === 2);
    assert.deepEqual(await moved(), [picture, picture]);
    assert.equal(await page.evaluate(() => scrollY), scrolled);
    await page.waitForFunction(() => !document.querySelector('[style*="view-transition-name"]'));
    assert.deepEqual(complaints, []);
    await close();
  });

  test("is the cover's, whichever picture the pointer has chosen", async () => {
    const { page, close } = await visit(browser, site, { ...desk, reducedMotion: "no-preference" });
    await page.addInitScript(() => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const moving = document.querySelector('[style*="view-transition-name"]')!;
        const shown = moving.closest("[data-talent]")!.querySelectorAll("[data-frame]:not([hidden])");
        Object.assign(window, { flown: [moving.closest("[data-frame]") === null, shown.length] });
        return start(update);
      };
    });
    await page.goto("/models/women");
    const card = page.locator("#board [data-talent]").nth(2);
    const { x, y, width, height } = (await card.locator("img").first().boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await Promise.all([ready(page), card.locator("[data-frame]:not([hidden])").nth(1).waitFor()]);
    await page.mouse.down();
    await page.mouse.up();
    await page.locator("main > article[data-talent]").waitFor();
    assert.deepEqual(await page.evaluate("window.flown"), [true, 1]);
    await close();
  });

  test("is skipped with reduced motion and in browsers without view transitions", async () => {
    for (const supported of [true, false]) {
      const { page, complaints, close } = await visit(browser, site, {
        ...desk,
        reducedMotion: supported ? "reduce" : "no-preference",
      });
      const moved = supported ? await recordTransitions(page) : () => Promise.resolve([]);
      if (!supported) await page.addInitScript("delete Document.prototype.startViewTransition");
      await page.goto("/models/women");
      await Promise.all([page.waitForResponse(/\/static\/chunk-/), link(page).focus()]);
      const talent = (await link(page).textContent())!;
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: talent }).waitFor();
      await page.goBack();
      await link(page).waitFor();
      assert.deepEqual(await moved(), []);
      assert.deepEqual(complaints, []);
      await close();
    }
  });
});

describe("a card", () => {
  const board = "/models/women";
  const cards = (page: Page) => page.locator("#board article[data-talent]");
  const isFrames = (url: string) => url.endsWith("/frames");

  const middle = async (card: Locator) => {
    const { x, y, width, height } = (await card.locator("img").first().boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };

  /** shows waits until a card shows its cover (0), its book (1) or its snap (2). */
  const shows = async (card: Locator, at: number) => {
    await card.locator("[data-frame]").nth(2).waitFor({ state: "attached" });
    const frames = card.locator("[data-frame]:not([hidden])");
    await frames.nth(at).waitFor({ state: "attached" });
    await frames.nth(at + 1).waitFor({ state: "detached" });
  };

  test("shows cover, book or snap by the pointer's position, and loads them on the first hover", async () => {
    const { page, complaints, close } = await visit(browser, site);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(board, { waitUntil: "networkidle" });
    assert.equal(await page.locator("[data-frame]").count(), 0);
    assert.equal(requested.filter((url) => isFrames(url) || url.includes("/book/")).length, 0);
    const card = cards(page).nth(1);
    const { x, y, width, height } = (await card.locator("img").first().boundingBox())!;
    const point = (column: number) => page.mouse.move(x + (width * (column + 0.5)) / 3, y + height / 2);
    await point(0);
    await shows(card, 0);
    for (const column of [1, 2, 0, 2]) {
      await point(column);
      await shows(card, column);
    }
    assert.deepEqual(requested.filter(isFrames).length, 1);
    const loaded = await card
      .locator("[data-frame] img")
      .evaluateAll((all) => Promise.all(all.map((image) => (image as HTMLImageElement).decode())));
    assert.equal(loaded.length, 2);
    await page.mouse.move(x + width / 2, y + height + 20); // the name
    await shows(card, 0);
    await card.getByRole("link").click();
    await page.waitForURL(/\/models\/\d+\//);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("shows its pictures by arrow keys on its link, the cover again on blur, and is accessible", async () => {
    const { page, close } = await visit(browser, site, { ...desk, bypassCSP: true });
    await page.goto(`/pt${board}?height_from=170`);
    const card = cards(page).nth(2);
    await card.getByRole("link").focus();
    await ready(page);
    for (const [key, at] of [
      ["ArrowRight", 1],
      ["ArrowRight", 2],
      ["ArrowRight", 2],
      ["ArrowLeft", 1],
    ] as const) {
      await page.keyboard.press(key);
      await shows(card, at);
    }
    await accessible(page, "a card that shows its book");
    await page.keyboard.press("Tab");
    await shows(card, 0);
    await close();
  });

  test("changes its picture by swiping, on later cards too, without opening the profile or scrolling", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    await page.goto("/models");
    const input = await page.context().newCDPSession(page);
    const swipe = async (card: Locator, by: number) => {
      const { x, y } = await middle(card);
      const to = (step: number) => ({ x: x + (by * step) / 2, y: y + 4 * step });
      await input.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [to(-1)] });
      for (const step of [-0.5, 0, 0.5, 1])
        await input.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [to(step)] });
      await input.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await cards(page).nth(19).scrollIntoViewIfNeeded();
    await cards(page).nth(20).waitFor(); // loads without a click
    await textFonts(page);
    for (const at of [0, 21]) {
      const card = cards(page).nth(at);
      await card.evaluate((card) => card.scrollIntoView({ block: "center", behavior: "instant" }));
      const scrolled = await page.evaluate(() => scrollY);
      await input.send("Input.dispatchTouchEvent", {
        type: "touchStart",
        touchPoints: [await middle(card)],
      });
      await input.send("Input.dispatchTouchEvent", { type: "touchCancel", touchPoints: [] });
      await card.getByRole("button").tap();
      assert.equal(await card.locator("[data-frame]").count(), 0, "a tap is no swipe");
      await swipe(card, -120);
      await card.locator("[data-frame] svg").first().waitFor(); // segments
      await shows(card, 1);
      await swipe(card, -120);
      await shows(card, 2);
      await swipe(card, 120);
      await shows(card, 1);
      assert.equal(await page.evaluate(() => scrollY), scrolled);
    }
    assert.equal(new URL(page.url()).pathname, "/models");
    assert.deepEqual(complaints, []);
    await close();
  });
});

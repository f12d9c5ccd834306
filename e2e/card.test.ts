// What a card does beyond being a link, with the demo's pictures.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { desk, phone, startBrowser, startSite, visit, type Site } from "./site";

let site: Site;
let browser: Browser;

before(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop();
});

/** Moved is what a transition moved, in ms, from x and y. */
interface Moved {
  what: string;
  duration: number;
}

/** watched keeps what every view transition of a page moves. */
async function watched(page: Page): Promise<() => Promise<Moved[][]>> {
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

describe("the picture of a pressed card", () => {
  const picture = [{ what: "::view-transition-group(picture)", duration: 320 }];
  const link = (page: Page) => page.locator("#board [data-talent] h2 a").nth(4);
  const ready = (page: Page) =>
    page.waitForFunction(() => document.adoptedStyleSheets.length > 0 && document.readyState === "complete");

  for (const [name, options] of [
    ["at 1440 px", desk],
    ["at 390 px", phone],
  ] as const)
    test(`becomes the profile's first, and the card's again on the way back, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, {
        ...options,
        reducedMotion: "no-preference",
      });
      const moved = await watched(page);
      await page.goto("/models/women");
      await link(page).scrollIntoViewIfNeeded();
      await link(page).focus();
      await ready(page);
      const left = await page.evaluate(() => scrollY);
      const talent = (await link(page).textContent())!;
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: talent }).waitFor();
      await page.waitForFunction(() => (window as unknown as { moved: Moved[][] }).moved.length === 1);
      assert.deepEqual(await moved(), [picture]);
      assert.equal(await page.evaluate(() => scrollY), 0);
      assert.equal(await page.evaluate(() => document.activeElement?.localName), "h1");

      await page.goBack();
      await link(page).waitFor();
      await page.waitForFunction(() => (window as unknown as { moved: Moved[][] }).moved.length === 2);
      assert.deepEqual(await moved(), [picture, picture]);
      assert.equal(await page.evaluate(() => scrollY), left);
      await page.waitForFunction(() => !document.querySelector('[style*="view-transition-name"]'));
      assert.deepEqual(complaints, []);
      await close();
    });

  test("does nothing where less motion is wanted, or the browser can't", async () => {
    for (const able of [true, false]) {
      const { page, complaints, close } = await visit(browser, site, {
        ...desk,
        reducedMotion: able ? "reduce" : "no-preference",
      });
      const moved = able ? await watched(page) : () => Promise.resolve([]);
      if (!able) await page.addInitScript("delete Document.prototype.startViewTransition");
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

  test("is left behind by who goes on before it has arrived", async () => {
    const { page, complaints, close } = await visit(browser, site, {
      ...desk,
      reducedMotion: "no-preference",
    });
    await page.goto("/models/women");
    await link(page).focus();
    await ready(page);
    for (let n = 0; n < 3; n++) {
      const talent = (await link(page).textContent())!;
      await link(page).click();
      await page.getByRole("heading", { level: 1, name: talent }).waitFor();
      await page.goBack();
      await link(page).waitFor();
    }
    await page.waitForFunction(() => !document.querySelector('[style*="view-transition-name"]'));
    assert.deepEqual(complaints, []);
    await close();
  });
});

// Infinite scrolling and the search form, over 300 generated talents.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser, open, oracle, settled, shown, site } from "./agency";
import type { State } from "./oracle";
import { visit } from "./site";

const models: State = { board: "models" };

describe("infinite scrolling", () => {
  const scrollToEnd = (page: Page) => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const cards = async (page: Page, n: number) =>
    page.waitForFunction((n) => document.querySelectorAll("#board > li").length === n, n);

  test("adds 20 talents near the end of the list four times, then leaves the footer reachable", async () => {
    const { page, close } = await open("/models");
    for (const n of [40, 60, 80, 100]) {
      await scrollToEnd(page);
      await cards(page, n);
    }
    assert.deepEqual(await shown(page), oracle.list(models).slice(0, 100));
    assert.match(page.url(), /show=100$/);
    await scrollToEnd(page);
    await page.locator("#more a").waitFor();
    await page.waitForFunction(() => {
      const footer = document.querySelector("footer")!.getBoundingClientRect();
      return footer.bottom <= innerHeight + 1;
    });
    assert.equal((await shown(page)).length, 100, "the footer stays reachable");

    await page.locator("#more a").focus();
    await page.keyboard.press("Enter");
    await cards(page, 120);
    // The focus moves to the first new card.
    await page.locator(`[data-talent="${oracle.list(models)[100]}"] :focus`).waitFor();
    await close();
  });

  test("adds nothing before the end of the list is near", async () => {
    const { page, close } = await open("/models");
    const top = await page.locator("#more a").evaluate((more) => more.getBoundingClientRect().top + scrollY);
    await page.evaluate((y) => scrollTo(0, y), top - 900 - 140);
    await page.waitForFunction(() =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => true),
    );
    assert.equal((await shown(page)).length, 20);
    await page.evaluate((y) => scrollTo(0, y), top - 900 - 60);
    await cards(page, 40);
    await close();
  });

  test("restores the list and the scroll position after a visit to a profile", async () => {
    const { page, close } = await open("/models");
    for (const n of [40, 60]) {
      await scrollToEnd(page);
      await cards(page, n);
    }
    const card = page.locator("#board > li").nth(47).locator("h2 a");
    // The click itself may scroll, from under the bar of filters.
    await page.evaluate(() =>
      addEventListener("click", () => Object.assign(window, { left: scrollY }), {
        capture: true,
        once: true,
      }),
    );
    await card.click();
    await page.waitForURL(/\/models\/\d+\//);
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await settled(page, models, 60);
    await page.waitForFunction(() => Math.abs(scrollY - (window as unknown as { left: number }).left) < 2);
    await close();
  });

  test("does not repeat a failed request until the link is clicked", async () => {
    const { page, close } = await visit(browser, site); // without open(), which reports the failed request as an error
    await page.goto("/models");
    let tries = 0;
    // It is asked for ahead, and again when it is to be put in.
    await page.route("**/models?show=40", (route) => (++tries < 3 ? route.abort() : route.continue()));
    await scrollToEnd(page);
    await page.locator('[aria-hidden][data-state="failed"]').waitFor();
    await page.locator("#more a").click();
    await cards(page, 40);
    assert.equal(tries, 3);
    await close();
  });
});

describe("the search form", () => {
  test("finds names by any part, ignoring accents and case, and with special characters", async () => {
    const { page, close } = await open("/models");
    await page.locator("#finder summary").click();
    for (const q of ["GATA", "wisniew", "sohne", "ørjan", "<script>", "º%\\", "李", "Мария", "uma"]) {
      await page.locator("#find-name").fill(q);
      const plain = q === "ørjan" ? "orjan" : q;
      await settled(page, { ...models, q: plain });
      await page.locator("#find-name:focus").waitFor();
      assert.equal(await page.locator("#find-name").inputValue(), q);
    }
    await close();
  });

  test("typing a name adds one history entry", async () => {
    const { page, close } = await open("/models");
    await page.locator("#finder summary").click();
    await page.locator("#find-name").focus();
    for (const q of ["a", "ag", "aga"]) {
      await page.locator("#find-name").fill(q);
      await settled(page, { ...models, q });
      await page.waitForURL(new RegExp(`q=${q}$`));
    }
    await page.goBack();
    await settled(page, models);
    assert.equal(new URL(page.url()).search, "");
    await close();
  });
});

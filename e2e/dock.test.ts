// The shortlist at the foot of the screen: it appears with the first heart, shows who is in it, and covers nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser, open, oracle, site } from "./agency";
import { accessible, desk, fits, phone, prefixesOn, visit } from "./site";

const [first, second, third] = oracle.list({ board: "models" }) as [string, string, string];
const ids = (...all: string[]) => new RegExp(`ids=${all.join()}$`);
const name = (id: string) => oracle.talents.find((talent) => talent.id === id)!.name.trim();
const dock = (page: Page) => page.locator("#dock aside");
const count = (page: Page, n: number) => dock(page).getByRole("link", { name: `${n} on the shortlist` });

/** press presses the heart of a talent on a list and waits until the dock shows this count. */
async function press(page: Page, id: string, n: number): Promise<void> {
  await page.locator(`#board [data-talent="${id}"] [aria-pressed]`).click();
  await dock(page)
    .locator('a[href$="/favorites"]', { hasText: String(n) })
    .waitFor();
}

/** more presses an action behind "More". */
async function more(page: Page, words: string): Promise<void> {
  await dock(page).locator("summary").click();
  await dock(page).getByRole("button", { name: words }).click();
}

describe("the dock", () => {
  test("appears with the first heart and shows faces, count and actions", async () => {
    const { page, close } = await open("/models");
    assert.equal(await dock(page).isVisible(), false);
    await press(page, first, 1);
    assert.equal(await dock(page).getByRole("link", { name: "Compare" }).count(), 0);
    await press(page, second, 2);
    assert.equal(await dock(page).locator("a .portrait").count(), 2);
    const href = (name: string) => dock(page).getByRole("link", { name, exact: true }).getAttribute("href");
    assert.equal(await href("Compare"), `/favorites/compare?ids=${first},${second}`);
    assert.equal(await href("Enquire"), `/contact?ids=${first},${second}`);
    assert.equal(await href("2 on the shortlist"), "/favorites");
    await close();
  });

  test("offers to undo a removal, which keeps the order, until its time line ends", async () => {
    const { page, close } = await open("/models", phone);
    await press(page, first, 1);
    await press(page, second, 2);
    await press(page, first, 1);
    const message = dock(page)
      .getByRole("status")
      .getByText(`${name(first)} removed.`);
    await message.waitFor();
    await dock(page).getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await message.waitFor({ state: "detached" });
    await count(page, 2).waitFor();
    assert.match(
      (await dock(page).getByRole("link", { name: "Enquire" }).getAttribute("href"))!,
      ids(first, second),
    );
    await page.waitForFunction(() => document.activeElement?.closest("#dock")); // the focus stays there
    await page.locator(`[data-talent="${first}"] [aria-pressed=true]`).waitFor();
    await press(page, second, 1);
    await page.locator(`#board [data-talent="${first}"] [aria-pressed]`).click();
    await count(page, 1).waitFor({ state: "detached" });
    await dock(page)
      .getByText(`${name(first)} removed.`)
      .waitFor();
    await page.evaluate(() => document.querySelector("#dock i")!.getAnimations()[0]!.finish());
    await dock(page).waitFor({ state: "hidden" });
    await close();
  });

  test("can be hidden until the next heart, also on the next page", async () => {
    const { page, close } = await open("/models");
    await press(page, first, 1);
    await more(page, "Hide the shortlist");
    await dock(page).waitFor({ state: "hidden" });
    await page.reload();
    await page.locator(`#board [data-talent="${first}"] [aria-pressed=true]`).waitFor();
    await page.locator(`#board [data-talent="${first}"] h2 a`).click();
    await page.getByRole("heading", { level: 1, name: name(first) }).waitFor();
    assert.equal(await dock(page).isVisible(), false);
    await page.goBack();
    await press(page, second, 2);
    await page.locator(`#board [data-talent="${second}"] [aria-pressed]`).click();
    await count(page, 1).waitFor();
    await close();
  });

  test("stays during navigation, follows other tabs, and is left out where it would be in the way", async () => {
    const { page, close } = await open("/models");
    await press(page, first, 1);
    await dock(page).evaluate((element) => element.setAttribute("data-same", ""));
    await page.locator('[data-filter="category:kids"]').click();
    await page.waitForURL(/kids/);
    await page.locator(`#board [data-talent] h2 a`).first().click();
    await page.getByRole("heading", { level: 1 }).and(page.locator("article *")).waitFor();
    await page.locator("#dock aside[data-same]").waitFor();
    const tab = await page.context().newPage();
    await tab.goto("/models");
    await press(tab, third, 2);
    await count(page, 2).waitFor();
    await page.setViewportSize({ width: 800, height: 900 });
    await dock(page).waitFor({ state: "hidden" }); // the profile has its own buttons there
    for (const path of ["/favorites", `/favorites/compare?ids=${first},${third}`, "/contact"]) {
      await page.goto(path);
      assert.equal(await page.locator("#dock").count(), 0, path);
    }
    await close();
  });

  test("does not cover the focused element", async () => {
    const { page, close } = await open("/models", phone);
    await press(page, first, 1);
    await page.goto("/models/women?height_from=180&height_to=181&hair=red"); // short: shows the footer
    await dock(page).waitFor();
    for (const link of await page.locator("footer a").all()) {
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await link.focus();
      const box = (await link.boundingBox())!;
      assert.ok(box.y + box.height <= (await dock(page).boundingBox())!.y);
    }
    await close();
  });

  test("is accessible and fits the screen in every language", async () => {
    for (const options of [desk, { ...phone, viewport: { width: 320, height: 640 } }])
      for (const prefix of prefixesOn(options)) {
        const path = `${prefix}/models`;
        const { page, close } = await open(path, { ...options, bypassCSP: true });
        await press(page, first, 1);
        await press(page, second, 2);
        await press(page, second, 1);
        await dock(page).getByRole("status").waitFor();
        await fits(page, path);
        const boxes = await dock(page)
          .locator("a, button")
          .evaluateAll((all) =>
            all
              .filter((element) => element.checkVisibility())
              .map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
          );
        for (const [i, box] of boxes.entries())
          for (const other of boxes.slice(i + 1))
            assert.ok(
              box.right <= other.left || box.bottom <= other.top || other.bottom <= box.top,
              `${path}: ${i}`,
            );
        if (prefix === "") await accessible(page, path);
        await close();
      }
  });

  test("that could not be loaded comes with the next heart, and nobody is told of a failure", async () => {
    const { page, close } = await visit(browser, site);
    await page.route("**/dock?*", (route) => route.abort(), { times: 1 });
    await page.goto("/models");
    const failed = page.waitForEvent("requestfailed");
    await page.locator(`#board [data-talent="${first}"] [aria-pressed]`).click();
    await failed;
    await press(page, second, 2);
    assert.equal(await page.locator("#failed").isVisible(), false);
    await close();
  });
});

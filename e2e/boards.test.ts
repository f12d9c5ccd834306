// The talent lists' filters over 300 generated talents: every rule is compared with an independent implementation
// (oracle.ts), with JavaScript, without it, and if the script fails to load.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { open, oracle, press, settled, ways } from "./agency";
import type { State } from "./oracle";
import { desk, phone, textFonts } from "./site";

const models: State = { board: "models" };

for (const [way, options, script] of ways)
  test(`random filter clicks show the expected talents, and so does each resulting address, ${way}`, async () => {
    const { page, close } = await open("/models", { ...desk, ...options }, script);
    const steps = way === "with JavaScript" ? 14 : 5; // the others load a whole page at each step
    let seed = 11;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    for (const board of ["models", "creative"] as const) {
      await page.goto(`/${board}`);
      let state: State = { board };
      await settled(page, state);
      for (let step = 0; step < steps; step++) {
        const choices = random(3) === 0 ? oracle.letters(state) : oracle.filters(state);
        if (choices.length === 0) continue;
        state = await press(page, state, choices[random(choices.length)]!);
      }
      await page.goto(page.url());
      await settled(page, state);
    }
    await close();
  });

test("the search form finds talents by name and height, and chips remove its criteria", async () => {
  const { page, close } = await open("/models/women?letter=A", desk);
  await page.locator("#finder summary").click();
  await page.locator("#find-name").fill("MOREÎRA");
  await page.locator("#height_from").fill("155");
  await page.getByRole("button", { name: /^Show \d+ profile/ }).click();
  const state: State = { board: "models", gender: "woman", letter: "A", q: "moreira", from: 155 };
  assert.ok(oracle.count(state) > 0);
  await settled(page, state);
  assert.equal(
    await page.locator("#finder").getAttribute("open"),
    null,
    "the form closes to show the results",
  );
  const chips = page.locator("#set li");
  assert.deepEqual(
    (await chips.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ["Remove “MOREÎRA”", "Remove from 155 cm", "Clear all"],
  );
  await chips.nth(1).locator("a").click();
  await settled(page, { board: "models", gender: "woman", letter: "A", q: "moreira" });
  await chips.getByText("Clear all").click();
  await settled(page, { board: "models", gender: "woman", letter: "A" });
  await close();
});

test("Show more adds twenty talents and puts their number into the address", async () => {
  const { page, close } = await open("/models", desk);
  await settled(page, models);
  // Without scrolling: near its end, the list would load the next page by itself.
  await page.getByRole("link", { name: "Show more" }).evaluate((link) => link.focus({ preventScroll: true }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\?show=40(#n21)?$/);
  await settled(page, models, 40);
  await close();
});

describe("filters", () => {
  test("an empty list offers chips that remove each criterion", async () => {
    const { page, close } = await open("/models/women?q=nobody+is+called+this&hair=red&height_from=199");
    await settled(page, { ...models, gender: "woman", q: "nobody is called this", hair: "red", from: 199 });
    const name = page.locator("#empty li a", { hasText: "nobody is called" });
    await name.click();
    await name.waitFor({ state: "detached" });
    await settled(page, { ...models, gender: "woman", hair: "red", from: 199 });
    await page.locator("#empty li a", { hasText: "199" }).click();
    await settled(page, { ...models, gender: "woman", hair: "red" });
    await page.locator("h1:focus").waitFor(); // it is not lost with the chip
    await close();
  });

  test("Back, Forward, reload and a new tab show the filters of the address", async () => {
    const { page, close } = await open("/models");
    const states = [models];
    for (const click of ["gender:woman", "subcategory:fit", "category:kids"])
      states.push(await press(page, states.at(-1)!, click));
    for (const state of states.slice(0, -1).reverse()) {
      await page.goBack();
      await settled(page, state);
    }
    for (const state of states.slice(1)) {
      await page.goForward();
      await settled(page, state);
    }
    await page.reload();
    await settled(page, states.at(-1)!);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await settled(tab, states.at(-1)!);
    assert.match(await tab.title(), /^Child models/);
    await close();
  });

  test("of two quick clicks the last one wins", async () => {
    const { page, close } = await open("/models");
    await page.route("**/models/women*", async (route) => {
      await page.waitForRequest(/\/models\/men/).catch(() => undefined);
      await route.continue().catch(() => undefined);
    });
    await page.locator('[data-filter="gender:woman"]').click();
    await page.locator('[data-filter="gender:man"]').click();
    await settled(page, { ...models, gender: "man" });
    assert.equal(new URL(page.url()).pathname, "/models/men");
    await close();
  });
});

describe("the finder", () => {
  test("closes on a phone after Show, focuses the count, and keeps the filter rows at the top", async () => {
    const { page, close } = await open("/models", phone);
    await page.locator("#finder summary").click();
    const top = async (name: string) => (await page.locator(`#finder ${name}`).last().boundingBox())!.y;
    assert.ok((await top("button")) > (await top("label")), "the button is the last");
    await page.locator("#height_from").fill("150");
    await settled(page, { ...models, from: 150 });
    assert.notEqual(await page.locator("#finder").getAttribute("open"), null, "it stays open while typing");
    await page.getByRole("button", { name: /^Show/ }).click();
    await page.locator("#count:focus").waitFor();
    await settled(page, { ...models, from: 150 });
    assert.ok(await page.locator("#find-name").isHidden());
    await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
    await page.waitForFunction(() => document.documentElement.hasAttribute("data-away"));
    await page.evaluate(() => scrollTo({ top: 800, behavior: "instant" }));
    await page.waitForFunction(() => document.elementFromPoint(100, 20)?.closest("#filters"));
    await close();
  });
});

describe("a filter change", () => {
  test("keeps the document, the scroll positions and the focus, and updates the count", async () => {
    const { page, close } = await open("/models/women", phone);
    await textFonts(page);
    await page.evaluate(() => {
      const status = document.querySelector("#count")!;
      document.querySelector("#letters")!.scrollLeft = 120;
      scrollTo(0, 300);
      Object.assign(window, { told: status });
    });
    await page.locator('[data-filter="gender:man"]').focus();
    await page.keyboard.press("Enter");
    await settled(page, { ...models, gender: "man" });
    await page.locator('[data-filter="gender:man"]:focus').waitFor();
    const after = await page.evaluate(() => ({
      same: (window as unknown as { told: Element }).told === document.querySelector("#count"),
      strip: document.querySelector("#letters")!.scrollLeft,
      y: scrollY,
    }));
    assert.deepEqual(after, { same: true, strip: 120, y: 300 });
    assert.match(
      (await page.locator("footer [data-language=pt]").getAttribute("href")) ?? "",
      /\/pt\/homens$/,
    );
    await close();
  });

  test("scrolls the chosen letter into view in its strip", async () => {
    const { page, close } = await open("/models?letter=Z", phone);
    await page.waitForFunction(() => {
      const { left, right } = document.querySelector("[data-letter=Z]")!.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
    await close();
  });
});

test("printing a board loads the pictures below the fold", async () => {
  const { page, close } = await open("/models?show=40", desk);
  const pictures = page.locator("#board img");
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>("#board img")!.naturalWidth > 0);
  assert.equal(await pictures.last().evaluate((img: HTMLImageElement) => img.complete), false);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint"))); // Chromium fetches them without this, too
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>("#board img")].every(
      ({ naturalWidth }) => naturalWidth > 0,
    ),
  );
  await close();
});

// Pages that are fetched before the click: once, with their first picture, and only where that costs nobody anything.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { browser, site } from "./demo";
import { desk, phone, textFonts, visit } from "./site";

const cards = (page: Page) => page.locator("#board [data-talent] :is(h2, h3) a");

/** requestsOf collects the paths of a page's requests. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(request.url().slice(site.url.length)));
  return paths;
}

const early = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url() === site.url + path && response.ok());

test("the page of a card is fetched while the pointer rests on it, and shown by the click", async () => {
  const { page, complaints, close } = await visit(browser, site, desk);
  await page.goto("/models/women", { waitUntil: "networkidle" });
  const requests = requestsOf(page);
  const path = (await cards(page).first().getAttribute("href"))!;
  const picture = page.waitForResponse((response) => /\/media\/.*u\d+\.jpg/.test(response.url()));
  await Promise.all([early(page, path), cards(page).first().hover()]);
  const firstPicture = (await picture).url();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(path);
  await page.locator("[data-gallery]").waitFor();
  const shown = page.locator("[data-gallery] img").first();
  assert.equal(await shown.evaluate((image: HTMLImageElement) => image.currentSrc), firstPicture);
  assert.equal(requests.filter((request) => request === path).length, 1, "one request");
  assert.deepEqual(complaints, []);
  await close();
});

test("a finger and the keyboard's focus count, too", async () => {
  for (const [options, reach] of [
    [desk, (page: Page) => cards(page).nth(2).focus()],
    [phone, (page: Page) => cards(page).nth(2).tap()],
  ] as const) {
    const { page, close } = await visit(browser, site, options);
    await page.goto("/models/women", { waitUntil: "networkidle" });
    const requests = requestsOf(page);
    const path = (await cards(page).nth(2).getAttribute("href"))!;
    await Promise.all([early(page, path), reach(page)]);
    if (options === desk) await page.keyboard.press("Enter");
    await page.waitForURL(path);
    assert.equal(requests.filter((request) => request === path).length, 1);
    await close();
  }
});

/** touch puts a finger on an element, and leaves it there. */
async function touch(page: Page, element: Locator): Promise<void> {
  const { x, y } = (await element.boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 4, y: y + 4 }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
}

test("the first finger on a link fetches its page; data saver, no script and other touches fetch nothing", async () => {
  const saving = () => Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  const link = (page: Page) => cards(page).first();
  for (const [name, expected, options, element] of [
    ["a link", 1, {}, link],
    ["data saver", 0, { script: saving }, link],
    ["no script", 0, { javaScriptEnabled: false }, link],
    ["no link", 0, {}, (page: Page) => page.locator("#count")],
  ] as [string, number, { script?: () => void }, (page: Page) => Locator][]) {
    const { page, close } = await visit(browser, site, { ...phone, ...options });
    if (options.script) await page.addInitScript(options.script);
    await page.goto("/models/women", { waitUntil: "networkidle" });
    await textFonts(page); // which come after the first pictures
    const requests = requestsOf(page);
    const path = (await link(page).getAttribute("href"))!;
    const script = expected ? page.waitForRequest(/chunk-/) : undefined;
    await touch(page, element(page));
    if (expected) await Promise.all([early(page, path), script]);
    else await page.waitForTimeout(400);
    if (expected) assert.equal(requests[0], path, "on a slow line the page has it first");
    assert.equal(requests.filter((request) => request === path).length, expected, name);
    if (name === "no link" || name === "no script") assert.deepEqual(requests, [], name);
    await close();
  }
});

test("the first picture of a profile is never blank", async () => {
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    const { page, close } = await visit(browser, site, { ...phone, reducedMotion });
    await page.goto("/models/women", { waitUntil: "networkidle" });
    const cover = await page
      .locator("#board [data-talent] img")
      .first()
      .evaluate((image: HTMLImageElement) => image.currentSrc);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/media\/.*u\d+\.jpg/, async (route) => {
      await held;
      await route.continue();
    });
    await cards(page).first().tap();
    const picture = page.locator("[data-gallery] img").first();
    await picture.waitFor();
    const background = () => picture.evaluate((image) => getComputedStyle(image).backgroundImage);
    assert.equal(await background(), `url("${cover}")`, reducedMotion);
    release();
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>("[data-gallery] img")!.style.background === "",
    );
    await close();
  }
});

test("a page is dressed when it is shown in place, however late its style sheet comes", async () => {
  const { page, complaints, close } = await visit(browser, site, desk);
  await page.goto("/models/women", { waitUntil: "networkidle" });
  await page.route(/\/text-\w+\.css/, async (route) => {
    await page.waitForTimeout(300);
    await route.continue();
  });
  const shown = (element: string) =>
    page.evaluate(
      (selector) =>
        new Promise((resolve) =>
          document.addEventListener(
            "htmx:after:swap",
            () => resolve(getComputedStyle(document.querySelector(selector)!).display),
            { once: true },
          ),
        ),
      element,
    );
  const about = shown(".about");
  await page.locator("header nav a[href='/about']").click();
  assert.equal(await about, "grid");
  const board = shown(".letters");
  await page.goBack();
  assert.equal(await board, "flex");
  assert.deepEqual(complaints, []);
  await close();
});

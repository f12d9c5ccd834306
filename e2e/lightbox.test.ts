// Pictures of a profile: the lightbox and the strip, by keyboard and by touch, under the site's own content security
// policy.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser, site } from "./demo";
import { accessible, desk, phone, visit } from "./site";

const profile = "/models/103/saskia-lindqvist"; // three pictures, a full length, three snaps
const withVideos = "/models/106/elodie-carpentier"; // so that the galleries are behind tabs

const waitForCount = (page: Page, text: string) =>
  page.locator("[data-lightbox] [data-count]").getByText(text, { exact: true }).waitFor();

/** swipe moves a finger across the middle of an element. */
async function swipe(page: Page, selector: string, by: number): Promise<void> {
  const dialog = (await page.locator(selector).first().boundingBox())!;
  const [x, y] = [dialog.x + dialog.width / 2, dialog.y + dialog.height / 2];
  const cdp = await page.context().newCDPSession(page);
  // The times of the touches are made up: how far a fling goes would depend on how fast the machine sends them.
  let timestamp = Date.now() / 1000;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: at === undefined ? [] : [{ x: at, y }],
      timestamp: (timestamp += 0.05),
    });
  await touch("touchStart", x - by / 2);
  for (let step = 1; step <= 10; step++) await touch("touchMove", x - by / 2 + (by * step) / 10);
  timestamp += 1; // the finger rests before it leaves: no fling
  await touch("touchEnd");
  await cdp.detach();
}

describe("the lightbox", () => {
  test("works by keyboard and returns the focus", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto(profile);
    const second = page.locator("#picture-2 a");
    await second.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Book, Saskia Lindqvist" });
    await dialog.waitFor();
    await waitForCount(page, "2 / 3");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => location.hash === "#picture-3");
    await waitForCount(page, "3 / 3");
    await page.locator("[data-lightbox]:focus").waitFor(); // none of its buttons has a ring
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => location.hash === "#picture-2");
    for (let tab = 0; tab < 8; tab++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest("[data-lightbox]"),
      );
      assert.ok(!outside, "the focus stays inside");
    }
    await dialog.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForFunction(() =>
      /scale\((?!1\))/.test(
        document.querySelector<HTMLElement>(".swiper-slide-active .swiper-zoom-container > *")!.style
          .transform,
      ),
    );
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.waitForFunction(() => location.hash === "");
    await page.locator("#picture-2 a:focus").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("has no accessibility violation", async () => {
    const { page, close } = await visit(browser, site, { ...phone, bypassCSP: true });
    await page.goto(profile + "#picture-1");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
    await accessible(page, "the lightbox");
    await close();
  });

  test("opens from a link with a picture's fragment, and Back closes it", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto("/models");
    const snaps = profile + "?gallery=snap";
    await page.goto(snaps + "#picture-2");
    await page.getByRole("dialog", { name: "Snaps, Saskia Lindqvist" }).waitFor();
    await waitForCount(page, "2 / 4");
    await page.keyboard.press("Escape");
    await page.locator("#picture-3 a").click();
    await page.locator("[data-lightbox]").waitFor();
    await page.goBack();
    await page.locator("[data-lightbox]").waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, snaps);
    await page.goForward();
    await page.locator("[data-lightbox]").waitFor();
    await waitForCount(page, "3 / 4");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("closes when the browser has gone back, so that a link pressed next is not left again", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.addInitScript(() => {
      const back = history.back.bind(history);
      history.back = () => void setTimeout(back, 300); // a slow phone
    });
    await page.goto(profile);
    for (const press of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("dialog").getByRole("button", { name: "Close" }).click(),
    ]) {
      await page.locator("#picture-2 a").click();
      await page.locator("[data-lightbox]").waitFor();
      await press();
      const hash = await page.evaluate(async () => {
        while (document.querySelector("dialog[open]")) await new Promise(requestAnimationFrame);
        return location.hash;
      });
      assert.equal(hash, "", "the address when the lightbox is gone");
      await page.locator("[data-lightbox]").waitFor({ state: "detached" });
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test("Back leads to the gallery before, also if it is pressed before the next frame", async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto(withVideos);
    await page.locator("#picture-2 a").click();
    await page.locator("[data-lightbox]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[data-lightbox]").waitFor({ state: "detached" });
    const left = page.evaluate(() => {
      const wait = window.setTimeout.bind(window);
      const frame = 1000; // a slow phone
      window.requestAnimationFrame = (work) => wait(work, frame, frame);
      const longestWaitOfPreact = 35;
      window.setTimeout = ((work: () => void, delay?: number) =>
        wait(work, delay === longestWaitOfPreact ? frame : delay)) as typeof setTimeout;
      return new Promise((resolve) =>
        document.addEventListener(
          "htmx:after:swap",
          () => {
            history.back();
            resolve(document.querySelector<HTMLElement>("[data-gallery]")!.dataset.gallery);
          },
          { once: true },
        ),
      );
    });
    await page.locator("article ul[aria-label]").getByRole("link", { name: /Snap/ }).click();
    assert.equal(await left, "snap");
    await page.locator('[data-gallery="book"]').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("changes pictures by swiping", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    await page.goto(profile);
    await page.locator("#picture-1 a").tap();
    await page.getByRole("button", { name: "Close" }).tap();
    await page.locator("[data-lightbox]").waitFor({ state: "detached" });
    await page.locator("#picture-1 a").tap();
    await page.locator("[data-lightbox] img").first().waitFor();
    await swipe(page, "[data-lightbox] .swiper", -200);
    await page.waitForFunction(() => location.hash === "#picture-2");
    await swipe(page, "[data-lightbox] .swiper", 200);
    await page.waitForFunction(() => location.hash === "#picture-1");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("shows a message for a broken picture, and still moves on", async () => {
    const { page, close } = await visit(browser, site);
    await page.route(/\/media\//, (route) => route.abort());
    await page.goto(profile + "#picture-2");
    await page
      .locator("[data-lightbox] .swiper-slide-active")
      .getByText("This photo can’t be shown.")
      .waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => location.hash === "#picture-3");
    await close();
  });

  test("if its script is missing, a click follows the link", async () => {
    const { page, close } = await visit(browser, site);
    await page.route(/\/static\/gallery-/, (route) => route.abort());
    await page.goto(profile);
    await page.locator("#picture-1 a").click();
    await page.waitForURL(/\.jpg$/);
    await close();
  });

  test("lets Ctrl+click open the picture in a new tab", async () => {
    const { page, close } = await visit(browser, site);
    await page.goto(profile);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator("#picture-1 a").click({ modifiers: ["Control"] }),
    ]);
    await tab.waitForURL(/\.jpg/);
    assert.equal(await page.locator("[data-lightbox]").count(), 0);
    await close();
  });
});

describe("the picture strip on a phone", () => {
  const counter = "[data-gallery=book] ~ * [data-count]";

  test("scrolls by swiping, counts, and opens the current picture", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    await page.goto(profile);
    const share = await page
      .locator("[data-gallery=book] > ul")
      .evaluate((strip) => strip.clientHeight / innerHeight);
    assert.ok(Math.abs(share - 0.66) < 0.01, `${share} of the height, not 0.66`);
    await swipe(page, "[data-gallery=book]", -300); // native scrolling, which loads the script
    await page.locator(counter).getByText("2 / 3").waitFor();
    await page.locator("[data-island=gallery][data-mounted] [data-gallery=book]").waitFor();
    const second = await page.locator("#picture-2").elementHandle();
    await page.waitForFunction((second) => second.getBoundingClientRect().left === 0, second); // it has snapped
    await swipe(page, "[data-gallery=book]", -300);
    await page.locator(counter).getByText("3 / 3").waitFor();
    await page.locator("#picture-3 a").tap();
    await page.locator("[data-lightbox]").waitFor();
    await waitForCount(page, "3 / 3");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("is not moved by its script, which arrives while a finger moves it", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    await page.goto(profile);
    const strip = page.locator("[data-gallery=book] > ul");
    await strip.evaluate((strip) => {
      strip.style.scrollSnapType = "none"; // as under a finger
      strip.scrollLeft = 100;
    });
    await strip.hover();
    await page.locator("[data-island=gallery][data-mounted] [data-gallery=book]").waitFor();
    const position = await strip.evaluate(async (strip) => {
      for (let frames = 0; frames < 10; frames++) await new Promise(requestAnimationFrame);
      return strip.scrollLeft;
    });
    assert.equal(position, 100);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("has buttons that work by keyboard, also before the script has loaded", async () => {
    const { page, complaints, close } = await visit(browser, site, phone);
    await page.goto(profile);
    const next = page.getByRole("button", { name: "Next photo" }).first();
    await next.focus();
    await page.keyboard.press("Enter");
    await page.locator(counter).getByText("2 / 3").waitFor();
    for (let n = 0; n < 5; n++) await page.keyboard.press("Enter");
    await page.locator(counter).getByText("3 / 3").waitFor();
    await next.and(page.locator("[aria-disabled=true]")).waitFor();
    await page.waitForFunction(
      () => Math.abs(document.querySelector("#picture-3")!.getBoundingClientRect().x) < 2,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test("becomes rows on a wide screen and keeps its position when narrow again", async () => {
    const { page, complaints, close } = await visit(browser, site, { viewport: phone.viewport });
    await page.clock.install();
    await page.goto(profile);
    const next = page.getByRole("button", { name: "Next photo" }).first();
    await next.hover();
    await page.locator("[data-island=gallery][data-mounted] [data-gallery=book]").waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000); // the phone is turned before the strip has moved
    await next.click();
    await page.locator(counter).getByText("2 / 3").waitFor();
    await page.setViewportSize(desk.viewport!);
    await page.clock.resume();
    await page.waitForFunction(() => {
      const [first, second] = [...document.querySelectorAll("[data-gallery=book] li")];
      return first!.getBoundingClientRect().top === second!.getBoundingClientRect().top;
    });
    const [first, second] = [
      await page.locator("#picture-1").boundingBox(),
      await page.locator("#picture-2").boundingBox(),
    ];
    assert.ok(second!.x > first!.x && second!.y === first!.y);
    await page.setViewportSize(phone.viewport!);
    await page.waitForFunction(
      () => Math.abs(document.querySelector("#picture-2")!.getBoundingClientRect().left) < 2,
    );
    assert.deepEqual(complaints, []);
    await close();
  });
});

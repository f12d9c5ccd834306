// The tools of a casting director: near misses of a search, the views of a board, and the links between the profiles of
// a list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { open, shown } from "./agency";
import { accessible, desk, phone } from "./site";

describe("near misses", () => {
  const fewResults = "/models/women?height_from=180&height_to=181&hair=red";

  test("are accessible, can be saved, and disappear with the search", async () => {
    const { page, close } = await open(fewResults, { ...desk, bypassCSP: true });
    await accessible(page, fewResults);
    const heart = page.locator("#near article").first().getByRole("button");
    await heart.click();
    await page.locator("#near [aria-pressed=true]").waitFor();
    await page.locator("#set, #empty").getByText("Clear all").or(page.getByText("Show all")).first().click();
    await page.locator("#near").waitFor({ state: "detached" });
    await close();
  });
});

describe("the index of names", () => {
  test("shows the picture of the first name, then of the focused one, and loads no others", async () => {
    const { page, close } = await open("/models/women?view=names&letter=A");
    const pictures = page.locator("#names a > :first-child");
    await pictures.first().waitFor();
    assert.equal(await page.locator("#names a > :first-child:visible").count(), 1);
    await page.locator("#names a").nth(2).focus();
    await page.keyboard.press("Shift+Tab"); // by keyboard, so that the focus is visible: the heart before
    await page.keyboard.press("Shift+Tab");
    await pictures.nth(1).waitFor();
    assert.ok(await pictures.first().isHidden());
    const loaded = await page
      .locator("#names img")
      .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).currentSrc !== ""));
    assert.ok(!loaded.slice(3).includes(true), "pictures of other names are not loaded");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/\d+\//);
    await close();
  });

  test("is accessible and fits the width", async () => {
    const path = "/models/women?view=names";
    for (const options of [phone, desk]) {
      const { page, close } = await open(path, { ...options, bypassCSP: true });
      await accessible(page, path);
      await close();
    }
  });
});

describe("the contact sheet", () => {
  test("has six columns, three on a phone, rings saved frames, and is accessible", async () => {
    const path = "/models/women?view=sheet";
    for (const [options, columns] of [
      [desk, 6],
      [phone, 3],
    ] as const) {
      const { page, close } = await open(path, { ...options, bypassCSP: true });
      const tops = await page
        .locator("#board > li")
        .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().top));
      assert.equal(tops.filter((top) => top === tops[0]).length, columns);
      const frame = page.locator("#board > li").nth(1);
      assert.ok(await frame.locator(".ring").isHidden());
      await frame.getByRole("button").click();
      await frame.locator(".ring").waitFor();
      assert.equal(await page.locator(".ring:visible").count(), 1);
      await accessible(page, path);
      await close();
    }
  });
});

describe("the state in the browser", () => {
  test("a board prints twelve cards on a page, with their measures", async () => {
    const { page, close } = await open("/models/women");
    const cards = (await shown(page)).length;
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, Math.ceil(cards / 12));
    await page.emulateMedia({ media: "print" });
    const measures = page.locator("#board dl").first();
    assert.equal(await measures.evaluate((line) => getComputedStyle(line).opacity), "1");
    await close();
  });

  test("a contact sheet counts the marked frames and prints on one page with rings", async () => {
    const { page, close } = await open("/models/women?view=sheet&height_from=175&height_to=180");
    assert.ok((await shown(page)).length <= 24);
    await page.getByText(/^0 of \d+ marked/).waitFor();
    await page.locator("#board > li").nth(1).getByRole("button").click();
    await page.getByText(/^1 of \d+ marked/).waitFor();
    await page.locator("#board > li").nth(4).getByRole("button").click();
    await page.getByText(/^2 of \d+ marked/).waitFor();
    const printCalled = page.evaluate(() => new Promise<void>((done) => (window.print = () => done())));
    await page.getByRole("button", { name: "Print this sheet" }).click();
    await printCalled;
    assert.equal(await page.locator("main img[loading=lazy]").count(), 0, "every picture is loaded");
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".ring:visible").count(), 2);
    assert.equal(
      await page
        .locator(".ring:visible")
        .first()
        .evaluate((ring) => getComputedStyle(ring).stroke),
      "rgb(163, 36, 27)",
    );
    await close();
  });

  test("the chosen view is used for the next board, until cards are chosen again", async () => {
    const { page, close } = await open("/models/women");
    const goTo = async (board: string) => {
      await page.locator('[data-menu="open"]').click();
      await page.locator("#menu").getByRole("link", { name: board, exact: true }).click();
    };
    await page.getByRole("link", { name: "Names", exact: true }).click();
    await page.locator("#names").waitFor();
    await goTo("Men");
    await page.waitForURL("**/models/men?view=names");
    await page.locator("#names").waitFor();
    await page.getByRole("link", { name: "Cards", exact: true }).click();
    await page.locator("#board").waitFor();
    await goTo("Women");
    await page.waitForURL("**/models/women");
    await page.locator("#board").waitFor();
    await close();
  });
});

describe("the links to neighbours in a list", () => {
  const search = "/models/women?height_from=175&height_to=180";
  const links = (page: Page) => page.getByRole("navigation", { name: "Browse the board" });
  const card = (page: Page, at: number) => page.locator("#board > li").nth(at);
  const waitForProfile = (page: Page, id?: string) =>
    page.locator(`main > article[data-talent="${id}"]`).waitFor();

  test("work by arrow keys, except in a menu, and the link back focuses the card", async () => {
    const { page, close } = await open(search);
    const ids = await shown(page);
    await card(page, 0).getByRole("link").click();
    await waitForProfile(page, ids[0]);
    assert.equal(await links(page).getByRole("link", { name: "Previous" }).count(), 0);
    for (const at of [1, 2]) {
      await page.keyboard.press("ArrowRight");
      await waitForProfile(page, ids[at]);
    }
    await page
      .getByRole("button", { name: "Menu" })
      .or(page.getByRole("link", { name: "Menu" }))
      .click();
    await page.locator("#menu[open]").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    await page.locator("#menu").waitFor({ state: "hidden" });
    await page.locator("main header button").click();
    await page.keyboard.press("ArrowLeft");
    await waitForProfile(page, ids[1]);
    await links(page).getByRole("link", { name: "2 of" }).click();
    await page.locator("#board").waitFor();
    await page.waitForFunction((id) => document.activeElement?.closest("article")?.id === `t${id}`, ids[1]);
    await close();
  });

  test("work by swiping over the name", async () => {
    const { page, close } = await open(search, phone);
    const ids = await shown(page);
    await card(page, 0).getByRole("link").click();
    await waitForProfile(page, ids[0]);
    const name = (await page.locator("h1").boundingBox())!;
    const input = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      input.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: name.y + name.height / 2 }],
      });
    await touch("touchStart", 260);
    await touch("touchMove", 160);
    await touch("touchMove", 100);
    await touch("touchEnd");
    await waitForProfile(page, ids[1]);
    await close();
  });

  test("lead back to the list as it was left", async () => {
    const { page, close } = await open(`${search}&view=sheet`, phone);
    const last = (await shown(page)).length - 1;
    await card(page, last).getByRole("link").focus();
    const scrolled = await page.evaluate(() => scrollY);
    assert.ok(scrolled > 0);
    await page.keyboard.press("Enter");
    await links(page).getByRole("link", { name: "Back" }).click();
    await page.waitForURL((url) => url.search.includes("view=sheet") && !url.search.includes("list="));
    assert.equal(new URL(page.url()).hash, "");
    await page.waitForFunction((scrolled) => Math.abs(scrollY - scrolled) < 2, scrolled);
    await close();
  });
});

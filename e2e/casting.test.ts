// What a casting director uses beside the filters: near misses of a search with few results, and the views of a board.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { open, runAgency, shown } from "./agency";
import { accessible, desk, fits, phone, prefixes, prefixesOn } from "./site";

runAgency();

describe("near misses", () => {
  const few = "/models/women?height_from=180&height_to=181&hair=red";

  for (const javaScriptEnabled of [true, false])
    test(`stand below a search that found few, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { page, close } = await open(few, { ...phone, javaScriptEnabled });
      const near = page.locator("#near article");
      assert.ok((await shown(page)).length < 4);
      assert.ok((await near.count()) > 0);
      for (const one of await near.all())
        assert.match(
          (await one.locator("p").textContent())!,
          /^\d(\.\d)?\u00a0cm (taller|shorter)$|^(With .+ hair|Another hair colour) instead of red$/,
        );
      const name = (await near.first().locator("h3").textContent())!;
      await near.first().locator("h3 a").click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await close();
    });

  test("are accessible, saved like any other, and gone with the search", async () => {
    const { page, close } = await open(few, { ...desk, bypassCSP: true });
    await accessible(page, few);
    const heart = page.locator("#near article").first().getByRole("button");
    await heart.click();
    await page.locator("#near [aria-pressed=true]").waitFor();
    await page.locator("#set, #empty").getByText("Clear all").or(page.getByText("Show all")).first().click();
    await page.locator("#near").waitFor({ state: "detached" });
    for (const options of [phone, desk])
      for (const prefix of prefixesOn(options)) {
        const { page, close } = await open(`${prefix}${few}`, options);
        await fits(page, `${prefix}${few}`);
        await close();
      }
    await close();
  });
});

describe("the index of names", () => {
  test("has the picture of the first name, then that of the focus, and fetches no other", async () => {
    const { page, close } = await open("/models/women?view=names&letter=A");
    const pictures = page.locator("#names a > :first-child");
    await pictures.first().waitFor();
    assert.equal(await page.locator("#names a > :first-child:visible").count(), 1);
    await page.locator("#names a").nth(2).focus();
    await page.keyboard.press("Shift+Tab"); // from the keyboard, so that the focus is seen
    await pictures.nth(1).waitFor();
    assert.ok(await pictures.first().isHidden());
    const fetched = await page
      .locator("#names img")
      .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).currentSrc !== ""));
    assert.ok(!fetched.slice(3).includes(true), "what was not pointed at has no bytes");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/\d+\//);
    await close();
  });

  for (const javaScriptEnabled of [true, false])
    test(`is chosen in the head of a board, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { page, close } = await open("/models/women", { ...phone, javaScriptEnabled });
      await page.getByRole("link", { name: "Names" }).click();
      await page.locator("#names").waitFor();
      const letter = page.locator("a[data-letter]").last();
      const jump = (await letter.getAttribute("href"))!;
      if (jump.startsWith("#")) {
        await letter.click();
        await page.waitForURL(`**${jump}`);
      }
      await page.locator('[data-filter="gender:man"]').click();
      await page.getByRole("heading", { level: 1, name: "Men", exact: true }).waitFor();
      await page.locator("#names").waitFor();
      await page.getByRole("link", { name: "Cards" }).click();
      await page.locator("#board").waitFor();
      await page.waitForURL(/\/models\/men$/);
      await close();
    });

  test("is accessible and as wide as the screen", async () => {
    const path = "/models/women?view=names";
    for (const options of [phone, desk]) {
      const { page, close } = await open(path, { ...options, bypassCSP: true });
      await accessible(page, path);
      await close();
    }
    for (const prefix of prefixes.slice(1)) {
      const { page, close } = await open(prefix + path, phone);
      await fits(page, prefix + path);
      await close();
    }
  });
});

describe("the contact sheet", () => {
  test("rings what is saved, six frames across, three on a phone, and is accessible", async () => {
    const path = "/models/women?view=sheet";
    for (const [options, across] of [
      [desk, 6],
      [phone, 3],
    ] as const) {
      const { page, close } = await open(path, { ...options, bypassCSP: true });
      const tops = await page
        .locator("#board > li")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.equal(tops.filter((top) => top === tops[0]).length, across);
      const frame = page.locator("#board > li").nth(1);
      assert.ok(await frame.locator(".ring").isHidden());
      await frame.getByRole("button").click();
      await frame.locator(".ring").waitFor();
      assert.equal(await page.locator(".ring:visible").count(), 1);
      await accessible(page, path);
      await close();
    }
    for (const prefix of prefixes.slice(1)) {
      const { page, close } = await open(prefix + path, phone);
      await fits(page, prefix + path);
      await close();
    }
  });

  for (const javaScriptEnabled of [true, false])
    test(`grows and stays the view of other filters, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { page, close } = await open("/models", { ...desk, javaScriptEnabled });
      await page.getByRole("link", { name: "Sheet" }).click();
      await page.locator("#board.on-ink").waitFor();
      assert.equal((await shown(page)).length, 24);
      const more = page.getByRole("link", { name: "Show more" });
      await more.evaluate((link) => link.focus({ preventScroll: true }));
      await page.keyboard.press("Enter");
      await page.locator("#board > li").nth(47).waitFor();
      await page.locator('[data-filter="gender:man"]').click();
      await page.getByRole("heading", { level: 1, name: "Men", exact: true }).waitFor();
      await page.waitForURL("**/models/men?view=sheet");
      await close();
    });
});

describe("what the browser remembers", () => {
  test("a sheet says how many are marked, and prints 24 on one page with its rings", async () => {
    const { page, close } = await open("/models/women?view=sheet&height_from=175&height_to=180");
    assert.ok((await shown(page)).length <= 24);
    await page.getByText(/^0 of \d+ marked/).waitFor();
    await page.locator("#board > li").nth(1).getByRole("button").click();
    await page.getByText(/^1 of \d+ marked/).waitFor();
    await page.locator("#board > li").nth(4).getByRole("button").click();
    await page.getByText(/^2 of \d+ marked/).waitFor();
    const printed = page.evaluate(() => new Promise<void>((done) => (window.print = () => done())));
    await page.getByRole("button", { name: "Print this sheet" }).click();
    await printed;
    assert.equal(await page.locator("main img[loading=lazy]").count(), 0, "every frame is fetched");
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(paper.match(/\/Type \/Page\b/g)?.length, 1);
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

  test("the chosen view is that of the next board, and cards are again once they are chosen", async () => {
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

describe("a walk through a list", () => {
  const search = "/models/women?height_from=175&height_to=180";
  const row = (page: Page) => page.getByRole("navigation", { name: "Walk the board" });
  const card = (page: Page, at: number) => page.locator("#board > li").nth(at);
  const ready = (page: Page) =>
    page.locator("[data-island=walk][data-mounted]").waitFor({ state: "attached" });
  const profileOf = (page: Page, id?: string) =>
    page.locator(`main > article[data-talent="${id}"]`).waitFor();

  for (const javaScriptEnabled of [true, false])
    test(`goes to the neighbours and back there, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { page, close } = await open(search, { ...phone, javaScriptEnabled });
      const ids = await shown(page);
      const total = (await page.locator("#count").textContent())!.split(" ")[0];
      await card(page, 2).getByRole("link").click();
      await profileOf(page, ids[2]);
      assert.equal(
        (await row(page).getByRole("link").first().textContent())!.trim(),
        `3 of ${total} · Women, 175–180\u00a0cm`,
      );
      await row(page).getByRole("link", { name: "Next" }).click();
      await profileOf(page, ids[3]);
      await row(page).getByRole("link", { name: "Previous" }).click();
      await profileOf(page, ids[2]);
      await row(page).getByRole("link", { name: "Previous" }).click();
      await profileOf(page, ids[1]);
      await row(page).getByRole("link", { name: "2 of" }).click();
      await page.getByRole("heading", { level: 1, name: "Women", exact: true }).waitFor();
      assert.match(page.url(), new RegExp(`#t${ids[1]}$`));
      await page.waitForFunction(
        (card) => {
          const { top, bottom } = card.getBoundingClientRect();
          return top >= 0 && bottom > 0 && top < innerHeight / 2;
        },
        await card(page, 1).elementHandle(),
      );
      await close();
    });

  test("goes by the arrow keys, but not where they are used already, and back with the focus on the card", async () => {
    const { page, close } = await open(search);
    const ids = await shown(page);
    await card(page, 0).getByRole("link").click();
    await profileOf(page, ids[0]);
    assert.equal(await row(page).getByRole("link", { name: "Previous" }).count(), 0);
    for (const at of [1, 2]) {
      await ready(page);
      await page.keyboard.press("ArrowRight");
      await profileOf(page, ids[at]);
    }
    await ready(page);
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
    await profileOf(page, ids[1]);
    await row(page).getByRole("link", { name: "2 of" }).click();
    await page.locator("#board").waitFor();
    await page.waitForFunction((id) => document.activeElement?.closest("article")?.id === `t${id}`, ids[1]);
    await close();
  });

  test("goes by a swipe over the name", async () => {
    const { page, close } = await open(search, phone);
    const ids = await shown(page);
    await card(page, 0).getByRole("link").click();
    await ready(page);
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
    await profileOf(page, ids[1]);
    await close();
  });

  test("comes back to where the list was left, when nobody else was looked at", async () => {
    const { page, close } = await open(`${search}&view=sheet`, phone);
    const last = (await shown(page)).length - 1;
    await card(page, last).getByRole("link").focus();
    const left = await page.evaluate(() => scrollY);
    assert.ok(left > 0);
    await page.keyboard.press("Enter");
    await row(page)
      .getByRole("link", { name: `${last + 1} of` })
      .click();
    await page.waitForURL((url) => url.search.includes("view=sheet") && !url.search.includes("list="));
    assert.equal(new URL(page.url()).hash, "");
    await page.waitForFunction((left) => Math.abs(scrollY - left) < 2, left);
    await close();
  });

  test("is accessible and as wide as the screen", async () => {
    for (const options of [phone, desk])
      for (const prefix of prefixesOn(options)) {
        const { page, close } = await open(`${prefix}/models?view=sheet&height_from=170&hair=brown`, {
          ...options,
          bypassCSP: true,
        });
        await card(page, 1).getByRole("link").click();
        await page.locator("[rel=next]").waitFor();
        await (prefix ? fits : accessible)(page, page.url());
        await close();
      }
  });
});

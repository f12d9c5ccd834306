// What a casting director works with beside the filters: who is close to a search that found few,
// and the views of a board.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { open, runAgency, shown } from "./agency";
import { accessible, desk, fits, phone, prefixes } from "./site";

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
      for (const prefix of prefixes) {
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

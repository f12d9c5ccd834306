// The blog: loading more posts, and the language of posts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { desk, startBrowser, startSite, visit, type Site } from "./site";

let site: Site;
let browser: Browser;
before(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop();
});

for (const javaScriptEnabled of [true, false]) {
  test(`"show more" adds six posts to ten, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const { page, complaints, close } = await visit(browser, site, { ...desk, javaScriptEnabled });
    await page.goto("/es/blog");
    const links = page.locator("#posts h2 a");
    assert.equal(await links.count(), 10);
    const before = await links.allTextContents();
    await page.getByRole("link", { name: "Ver más" }).click();
    await links.nth(11).waitFor();
    const all = await links.allTextContents();
    assert.equal(all.length, 12, "the demo has twelve posts of each type");
    assert.deepEqual(all.slice(0, 10), before);
    assert.equal(new Set(all).size, 12, "no post is listed twice");
    assert.equal(new URL(page.url()).search, "?show=16", "Back shows the same posts");
    assert.equal(await page.getByRole("link", { name: "Ver más" }).count(), 0);
    if (javaScriptEnabled) await page.locator("#posts > :nth-child(11) h2 a:focus").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("posts have lang=pt on pages in other languages", async () => {
  const { page, close } = await visit(browser, site);
  await page.goto("/es/blog");
  const first = page.locator("#posts h2 a").first();
  assert.equal(await first.evaluate((link) => link.closest("[lang]")?.getAttribute("lang")), "pt");
  assert.equal(
    await page
      .locator("#posts time")
      .first()
      .evaluate((time) => time.closest("[lang]")?.getAttribute("lang")),
    "es",
  );
  await first.click();
  await page.waitForURL(/\/es\/blog\/news\/./);
  assert.equal(await page.locator("html").getAttribute("lang"), "es");
  assert.equal(await page.locator("h1").evaluate((h1) => h1.closest("[lang]")?.getAttribute("lang")), "pt");
  assert.equal(await page.locator("main article").count(), 1 + 3, "the post and others");
  const canonical = await page.locator("link[rel=canonical]").getAttribute("href");
  assert.match(canonical ?? "", /\/pt\/blog\/news\//);
  await close();
});

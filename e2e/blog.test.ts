// The blog: loading more posts, and the language of posts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, site } from "./demo";
import { desk, visit } from "./site";

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

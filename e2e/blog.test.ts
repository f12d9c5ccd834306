// The blog: loading more posts, and the language of posts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, site } from "./demo";
import { visit } from "./site";

test('"Show more" adds the rest of the posts, focuses the first of them, and changes the address', async () => {
  const { page, complaints, close } = await visit(browser, site);
  await page.goto("/es/blog");
  const links = page.locator("#posts h2 a");
  const before = await links.allTextContents();
  await page.getByRole("link", { name: "Ver más" }).click();
  await page.locator("#posts > :nth-child(11) h2 a:focus").waitFor();
  assert.deepEqual((await links.allTextContents()).slice(0, 10), before);
  assert.equal(new URL(page.url()).search, "?show=16", "Back shows the same posts");
  assert.deepEqual(complaints, []);
  await close();
});

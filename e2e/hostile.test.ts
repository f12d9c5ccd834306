// Fifty harmful HTML fragments, in the agency's text and in posts: no script runs, nothing is loaded from other sites,
// and no id of the page is reused. The browser's protection (CSP) is off, so that only the site's own sanitising
// counts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { BackEnds } from "./backends";
import { browser } from "./browser";
import { desk, startSite, visit, type Site } from "./site";

const fragments = JSON.parse(readFileSync("internal/richtext/testdata/hostile.json", "utf8")) as string[];
const posts = fragments.map((body, n) => ({
  type: "news",
  slug: `post-${n}`,
  title: `Post ${n}`,
  body: `<p>Before.</p>${body}`,
  publishedAt: "2026-02-05T00:00:00Z",
}));
const about = {
  name: "about",
  title: "About",
  body: fragments.map((f) => `<p>Before.</p>${f}`).join("\n"),
};

let backEnds: BackEnds;
let site: Site;
before(async () => {
  backEnds = await BackEnds.start({ posts: { news: posts }, entities: [about] });
  site = await startSite(backEnds.env);
});
after(async () => {
  await site.stop();
  await backEnds.stop();
});

const recordScripts = "window.harm = []; window.boom = () => window.harm.push('a script ran')";

/** findHarm lists what a page's text has done to it. */
async function findHarm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return [
      ...((window as unknown as { harm?: string[] }).harm ?? []),
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two elements are #${id}`),
      ...(document.getElementById("main")?.tagName === "MAIN" ? [] : ["#main is not the main element"]),
      ...(document.querySelector("footer:not(main *)") ? [] : ["the text swallowed the footer"]),
      ...(new URL(document.baseURI).pathname === location.pathname ? [] : ["the base address has changed"]),
    ];
  });
}

test("fifty hostile fragments do no harm in posts and in the agency's text", async () => {
  assert.equal(fragments.length, 50);
  const { page, complaints, close } = await visit(browser, site, { ...desk, bypassCSP: true });
  await page.addInitScript(recordScripts);
  for (const path of ["/about", ...fragments.map((_, n) => `/pt/blog/news/post-${n}`)]) {
    await page.goto(path);
    await page.locator("main").hover();
    const label = path + ": " + (fragments[Number(/\d+$/.exec(path)?.[0])] ?? "all");
    assert.equal(new URL(page.url()).pathname, path, label);
    assert.deepEqual(await findHarm(page), [], label);
    assert.deepEqual(complaints, [], label);
  }
  await close();
});

test("the test detects the harm of a fragment that is not sanitised", async () => {
  const { page, close } = await visit(browser, site, { ...desk, bypassCSP: true });
  await page.addInitScript(recordScripts);
  await page.goto("/about");
  await page.evaluate((fragment) => {
    document.querySelector("main")!.innerHTML = fragment;
  }, '<img src=x onerror=boom()><p id="menu"></p>');
  await page.waitForFunction(() => (window as unknown as { harm: string[] }).harm.length > 0);
  assert.deepEqual(await findHarm(page), ["a script ran", "two elements are #menu"]);
  await close();
});

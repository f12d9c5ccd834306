// Fifty harmful HTML fragments in the agency's text: no script runs, nothing is loaded from other sites,
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
const about = {
  name: "about",
  title: "About",
  body: fragments.map((f) => `<p>Before.</p>${f}`).join("\n"),
};

let backEnds: BackEnds;
let site: Site;
before(async () => {
  backEnds = await BackEnds.start({ entities: [about] });
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

test("fifty hostile fragments do no harm", async () => {
  assert.equal(fragments.length, 50);
  const { page, complaints, close } = await visit(browser, site, { ...desk, bypassCSP: true });
  await page.addInitScript(recordScripts);
  await page.goto("/about");
  await page.locator("main").hover();
  assert.equal(new URL(page.url()).pathname, "/about");
  assert.deepEqual(await findHarm(page), []);
  assert.deepEqual(complaints, []);
  // That of a fragment that is not sanitised is found.
  await page.evaluate((fragment) => {
    document.querySelector("main")!.innerHTML = fragment;
  }, '<img src=x onerror=boom()><p id="menu"></p>');
  await page.waitForFunction(() => (window as unknown as { harm: string[] }).harm.length > 0);
  assert.deepEqual(await findHarm(page), ["a script ran", "two elements are #menu"]);
  await close();
});

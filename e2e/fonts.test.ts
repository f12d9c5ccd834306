// Names from everywhere are drawn in the site's typefaces, and the files for further letters are loaded only if a page
// has such letters.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { BackEnds, type Talent } from "./fake";
import { startBrowser, startSite, visit, type Site } from "./site";

const latin: Record<string, string> = {
  English: "Charlotte O’Brien",
  Portuguese: "João Conceição",
  Spanish: "Begoña Núñez",
  French: "Zoë Lœuillet",
  German: "Jürgen Weiß",
  Danish: "Søren Kjær",
  Swedish: "Åsa Öberg",
  Icelandic: "Þórdís Guðrún",
  Polish: "Łucja Święć",
  Czech: "Jiří Dvořák",
  Slovak: "Ľubica Ďurišová",
  Hungarian: "Győző Szűcs",
  Romanian: "Ștefan Țurcanu",
  Croatian: "Đurđica Žužić",
  Latvian: "Ģirts Ķēniņš",
  Lithuanian: "Šarūnė Žąsytė",
  Turkish: "Işıl Yağız",
  Azerbaijani: "Əli Çələbi",
  Maltese: "Ġorġ Ħaż-Żabbar",
  Vietnamese: "Trần Thị Ngọc Ánh",
};
const others = { Greek: "Ελένη Παπαδοπούλου", Russian: "Мария Иванова", Ukrainian: "Їжакевич Ґалина" };

let ends: BackEnds, site: Site, browser: Browser;

before(async () => {
  const talents = Object.values({ ...latin, ...others }).map((name, i): Talent => ({
    id: String(i + 1),
    name,
    gender: "woman",
    categories: [{ id: 1, name: "models" }],
    height: "175",
  }));
  ends = new BackEnds(talents);
  await ends.start();
  site = await startSite(ends.env);
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await site?.stop();
  await ends?.stop();
});

/** fontsOf names the fonts in which the letters of an element are drawn, and whether the site brought each. */
async function fontsOf(
  page: Page,
  selector: string,
): Promise<{ familyName: string; isCustomFont: boolean }[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  return (await cdp.send("CSS.getPlatformFontsForNode", { nodeId })).fonts;
}

/** openProfile opens the profile of the nth name and gives the font files that the page fetched. */
async function openProfile(
  name: string,
): Promise<{ page: Page; files: string[]; close: () => Promise<void> }> {
  const id = ends.talents.find((talent) => talent.name === name)!.id;
  const { page, close } = await visit(browser, site);
  const files: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "font") files.push(request.url().replace(/.*\/(.*)-\w+\.woff2/, "$1"));
  });
  await page.goto(`/models/${id}/x`);
  await page.evaluate(() => document.fonts.ready);
  return { page, files, close };
}

describe("a name stands in the typeface of its page", () => {
  for (const [language, name] of Object.entries(latin))
    test(language, async () => {
      const { page, close } = await openProfile(name);
      assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), name);
      const drawn = await fontsOf(page, "h1");
      assert.ok(
        drawn.length > 0 && drawn.every(({ isCustomFont }) => isCustomFont),
        `not in the site's typeface: ${JSON.stringify(drawn)}`,
      );
      await close();
    });
});

test("files of further letters are fetched by the pages that need them only", async () => {
  for (const [name, wanted] of [
    [latin.English, []],
    [latin.Polish, ["latin-ext"]],
    [latin.Vietnamese, ["vietnamese"]],
  ] as const) {
    const { files, close } = await openProfile(name!);
    const further = files.filter((file) => file.startsWith("newsreader-display-"));
    for (const subset of wanted)
      assert.ok(
        further.some((file) => file.endsWith(subset)),
        `${name} needs ${subset}: ${files.join(" ")}`,
      );
    if (wanted.length === 0) assert.deepEqual(further, [], `${name} needs no further file`);
    await close();
  }
});

test("Greek and Cyrillic fall back to a serif, letter by letter, without a box", async () => {
  for (const name of Object.values(others)) {
    const { page, close } = await openProfile(name);
    const family = await page.evaluate(() => getComputedStyle(document.querySelector("h1")!).fontFamily);
    assert.match(family, /Georgia|Times/, "the heading names a serif to fall back to");
    assert.ok((await fontsOf(page, "h1")).every(({ familyName }) => !/sans/i.test(familyName)));
    await close();
  }
});

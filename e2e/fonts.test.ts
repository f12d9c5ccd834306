// Names in many languages are shown in the site's typefaces, and the files for further letters are loaded only by pages
// with such letters.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { BackEnds } from "./backends";
import type { Talent } from "./roster";
import { browser } from "./browser";
import { startSite, visit, type Site } from "./site";

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
  symbols: "Ana × Bea = [2]",
};
const others = { Greek: "Ελένη Παπαδοπούλου", Russian: "Мария Иванова", Ukrainian: "Їжакевич Ґалина" };

const talents = Object.values({ ...latin, ...others }).map((name, i): Talent => ({
  id: String(i + 1),
  name,
  gender: "woman",
  categories: [{ id: 1, name: "models" }],
  measures: { height: "175" },
}));
let backEnds: BackEnds, site: Site;

before(async () => {
  backEnds = await BackEnds.start({ talents });
  site = await startSite(backEnds.env);
});

after(async () => {
  await site?.stop();
  await backEnds?.stop();
});

/** fontsOf lists the fonts used for an element's text, and whether each is the site's own. */
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

/** openProfile opens the profile of a name and returns the font files that the page loads. */
async function openProfile(
  name: string,
): Promise<{ page: Page; files: string[]; close: () => Promise<void> }> {
  const id = talents.find((talent) => talent.name === name)!.id;
  const { page, close } = await visit(browser, site);
  const files: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "font") files.push(request.url().replace(/.*\/(.*)-\w+\.woff2/, "$1"));
  });
  await page.goto(`/models/${id}/x`);
  await page.evaluate(() => document.fonts.ready);
  return { page, files, close };
}

test("names are shown in the site's typeface", async () => {
  const { page, close } = await visit(browser, site);
  await page.goto("/models?show=40");
  await page.waitForFunction(() => !document.querySelector("[data-waits]")); // text has them after the first pictures
  await page.evaluate(() => document.fonts.ready);
  for (const name of Object.values(latin)) {
    const id = talents.find((talent) => talent.name === name)!.id;
    const fonts = await fontsOf(page, `[data-talent="${id}"] h2`);
    assert.ok(
      fonts.length > 0 && fonts.every(({ isCustomFont }) => isCustomFont),
      `${name}: ${JSON.stringify(fonts)}`,
    );
  }
  await close();
});

test("font files for further letters are loaded only by pages with such letters", async () => {
  for (const [name, expected] of [
    [latin.English, []],
    [latin.Polish, ["central"]],
    [latin.Maltese, ["latin-ext"]],
    [latin.Vietnamese, ["vietnamese"]],
    [latin.symbols, ["symbols"]],
  ] as const) {
    const { files, close } = await openProfile(name!);
    const extraFiles = files.filter((file) => file.startsWith("newsreader-display-"));
    for (const subset of expected)
      assert.ok(
        extraFiles.some((file) => file.endsWith(subset)),
        `${name} needs ${subset}: ${files.join(" ")}`,
      );
    if (expected.length === 0) assert.deepEqual(extraFiles, [], `${name} needs no further file`);
    await close();
  }
});

test("Greek and Cyrillic fall back to a serif font of the system", async () => {
  for (const name of Object.values(others)) {
    const { page, close } = await openProfile(name);
    const family = await page.evaluate(() => getComputedStyle(document.querySelector("h1")!).fontFamily);
    assert.match(family, /Georgia|Times/, "the heading has a serif fallback");
    assert.ok((await fontsOf(page, "h1")).every(({ familyName }) => !/sans/i.test(familyName)));
    await close();
  }
});

// Favourites: stored in the browser, or without a script in a session; shared, compared, downloaded and sent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { browser, open, oracle, site, ways } from "./agency";
import { fill } from "./forms";
import { accessible, desk, fits, phone, prefixesOn, visit } from "./site";

const all = oracle.list({ board: "models" }).slice(0, 20);
// Not in ascending order, in which an object with numeric keys would list them.
const [first, second, third, fourth, fifth] = all.slice(0, 5).sort((a, b) => Number(b) - Number(a)) as [
  string,
  string,
  string,
  string,
  string,
];

const adults = all
  .filter(
    (id) => !oracle.talents.find((talent) => talent.id === id)!.categories.some(({ id }) => id === 1909),
  )
  .slice(0, 2);

const measured = oracle.talents.filter(
  ({ id, gender }) => all.includes(id) && gender && oracle.known.get(id)!.cm,
);

const heart = (page: Page, id: string) => page.locator(`[data-talent="${id}"] [aria-pressed]`);
/** save presses a heart and waits until it is pressed: before its script has loaded a press has no effect. */
const save = async (page: Page, id: string) => {
  await heart(page, id).click();
  await page.locator(`[data-talent="${id}"] [aria-pressed=true]`).waitFor();
};
const pressed = (page: Page, id: string) => heart(page, id).getAttribute("aria-pressed");
/** waitForCount waits until the header shows a number of favourites: its script is loaded after the first is saved. */
const waitForCount = (page: Page, number: string) =>
  page.waitForFunction(
    (expected) => document.querySelector("header [data-count]")?.textContent?.trim() === expected,
    number,
  );
const savedIds = (page: Page) =>
  page.evaluate(() => Object.keys(JSON.parse(localStorage.getItem("favorites") ?? "{}") as object));
const name = (id: string) =>
  oracle.talents
    .find((talent) => talent.id === id)!
    .name.replace(/\s+/g, " ")
    .trim();

async function waitForShortlist(page: Page, ids: string[]): Promise<void> {
  await page.waitForFunction(
    (expected) =>
      document.readyState !== "loading" && // without JavaScript the next page may not have a list yet
      [...document.querySelectorAll<HTMLElement>("#shortlist [data-talent]")]
        .map((element) => element.dataset.talent)
        .join() === expected,
    ids.join(),
  );
  assert.equal((await page.locator("h1 + [role=status]").count()) > 0, ids.length > 0);
  assert.equal(await page.locator("#empty").count(), ids.length ? 0 : 1);
}

/** more uses an action behind "More". */
async function more(page: Page, role: "button" | "link", words: string): Promise<void> {
  await page.locator("#bar summary").click();
  await page.locator("#bar").getByRole(role, { name: words }).click();
}

describe("the shortlist", () => {
  for (const [way, options, script] of ways)
    test(`hearts save talents in order; the page lists, removes and clears them, ${way}`, async () => {
      const { page, close } = await open("/models", { ...desk, ...options }, script);
      for (const id of [first, second, third]) await save(page, id);
      await waitForCount(page, "3");
      assert.equal(new URL(page.url()).pathname, "/models", "the page does not change");
      await page.locator("header [data-count]").click();
      await page.waitForURL(/\/favorites$/);
      await waitForShortlist(page, [first, second, third]);
      await heart(page, second).click();
      await waitForShortlist(page, [first, third]);
      await page.goto("/models");
      await page.locator(`[data-talent="${third}"] [aria-pressed=true]`).waitFor();
      assert.equal(await pressed(page, second), "false");
      await save(page, second);
      await page.goto("/favorites");
      await waitForShortlist(page, [first, third, second]);
      await more(page, "button", "Remove all");
      await waitForShortlist(page, []);
      await waitForCount(page, "");
      const cookies = await page.context().cookies();
      assert.deepEqual(cookies, [], "no cookie without favourites in a session");
      await close();
    });

  test("removing one or all can be undone and restores the order", async () => {
    const { page, close } = await open("/models", desk);
    for (const id of [first, second, third]) await save(page, id);
    await page.locator("header [data-count]").click();
    await page.waitForURL(/\/favorites$/);
    await waitForShortlist(page, [first, second, third]);
    await heart(page, second).click();
    await waitForShortlist(page, [first, third]);
    await page.locator("#undo").getByText(name(second)).waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const undo = (await page.getByRole("button", { name: "Undo" }).boundingBox())!;
    assert.ok(undo.y >= 0 && undo.y + undo.height < 900, "the button stays on the screen");
    await page.getByRole("button", { name: "Undo" }).click();
    await waitForShortlist(page, [first, second, third]);
    await more(page, "button", "Remove all");
    await waitForShortlist(page, []);
    await page.getByRole("button", { name: "Undo" }).click();
    await waitForShortlist(page, [first, second, third]);
    await close();
  });

  test("the first four are compared; one is taken out, another is found by name and added", async () => {
    const { page, close } = await open(
      `/favorites?ids=${[first, second, third, fourth, fifth].join()}`,
      phone,
    );
    const columns = () =>
      page
        .locator("thead [data-talent]")
        .evaluateAll((cells) => cells.map((element) => (element as HTMLElement).dataset.talent));
    await page.locator("#bar").getByRole("link", { name: "Compare" }).click();
    await page.waitForURL(/\/favorites\/compare\?ids=/);
    await page.locator("thead [data-talent]").first().waitFor(); // the address may come first
    assert.deepEqual(await columns(), [first, second, third, fourth]);
    await page
      .getByRole("link", { name: "Take out" })
      .filter({ hasText: name(second) })
      .click();
    await page.waitForURL((url) => url.searchParams.get("ids") === [first, third, fourth].join());
    await page.getByLabel("Add someone").fill("nobody of this name");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("Nobody called “nobody of this name”").waitFor();
    await page.getByLabel("Add someone").fill(name(fifth));
    await page.locator(`#found a[href*=",${fifth}&"]`).click(); // perhaps not the only one of the name
    await page.locator(`thead [data-talent="${fifth}"]`).waitFor();
    assert.deepEqual(await columns(), [first, third, fourth, fifth]);
    await page.goto(`/favorites/compare?ids=${[first, second, third, fourth, fifth].join()}`);
    await page.getByText("at most. Left out: " + name(fifth)).waitFor();
    await close();
  });

  test("a shortlist is downloaded as a pack for a client, and opened as a page with their name", async () => {
    const { page, close } = await open(`/favorites?ids=${adults.join()}`, desk);
    await page.locator("#bar summary").click();
    await page.getByLabel("Pack for").fill("Maison Ferrand");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download PDF" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "Maison Ferrand-Best-Management.pdf");
    assert.match(readFileSync(await download.path(), "latin1"), /^%PDF/);
    await page.getByRole("button", { name: "Open as a page" }).click();
    await page.getByRole("heading", { level: 1, name: "For Maison Ferrand" }).waitFor();
    await waitForShortlist(page, adults);
    await close();
  });
});

describe("favourites in the browser", () => {
  test("are the same in all tabs, hearts and counters", async () => {
    const { page, close } = await open("/models");
    const tab = await page.context().newPage();
    await tab.goto("/favorites");
    const profile = await page.context().newPage();
    await profile.goto(`/models/${first}`);
    await heart(page, first).click();
    await waitForShortlist(tab, [first]);
    await tab.locator("header [data-count]", { hasText: "1" }).waitFor();
    await profile.locator("main header [aria-pressed=true]").waitFor();
    await profile.locator("main header [aria-pressed]").click();
    await page.locator(`[data-talent="${first}"] [aria-pressed=false]`).waitFor();
    await waitForShortlist(tab, []);
    await close();
  });

  test("persist through filters, further pages and Back", async () => {
    const { page, close } = await open("/models");
    await save(page, first);
    await page.locator('[data-filter="category:kids"]').click();
    await page.waitForURL(/kids/);
    await page.locator('[data-filter="all"]').click();
    await page.locator(`[data-talent="${first}"] [aria-pressed=true]`).waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const onSecondPage = oracle.list({ board: "models" })[25]!;
    await save(page, onSecondPage);
    await waitForCount(page, "2");
    await page.locator(`[data-talent="${onSecondPage}"] h2 a`).click();
    await page.waitForURL(new RegExp(`/models/${onSecondPage}/`));
    await page.goBack();
    await page.locator(`[data-talent="${onSecondPage}"] [aria-pressed=true]`).waitFor();
    await close();
  });

  test("survive invalid data in the storage", async () => {
    const { page, close } = await open("/models");
    for (const invalid of ["", "{", "[]", "null", '"text"', '{"1":{"name":"x"},"zzz":null}']) {
      await page.evaluate((value) => localStorage.setItem("favorites", value), invalid);
      await page.reload();
      await save(page, first);
      assert.ok((await savedIds(page)).includes(first), invalid);
    }
    await page.goto("/favorites");
    await waitForShortlist(page, [first]);
    await close();
  });

  test("last as long as the page if the browser forbids the storage", async () => {
    const { page, close } = await open("/models");
    const denied = 'get() { throw new DOMException("denied", "SecurityError"); }';
    await page.addInitScript(`Object.defineProperty(window, "localStorage", { ${denied} })`);
    await page.reload();
    await save(page, first);
    await waitForCount(page, "1");
    await page.getByRole("banner").locator('a[href="/favorites"]').click();
    await waitForShortlist(page, [first]);
    await close();
  });

  test("adopt those of a session without JavaScript, which ends", async () => {
    const noScript = await visit(browser, site, { ...desk, javaScriptEnabled: false });
    await noScript.page.goto("/models");
    for (const id of [third, first]) await save(noScript.page, id);
    const cookies = await noScript.page.context().cookies();
    assert.equal(cookies.length, 1);
    assert.ok(cookies[0]!.httpOnly && cookies[0]!.sameSite === "Lax");
    await noScript.close();

    const { page, close } = await open("/models");
    await save(page, second);
    await page.context().addCookies(cookies);
    await page.goto("/favorites");
    await waitForShortlist(page, [second, third, first]);
    while ((await page.context().cookies()).length > 0) await page.reload();
    await waitForShortlist(page, [second, third, first]);
    await close();
  });

  test("removing one by keyboard moves the focus to the next", async () => {
    const { page, close } = await open("/models");
    for (const id of [first, second, third]) await save(page, id);
    await page.goto("/favorites");
    await waitForShortlist(page, [first, second, third]);
    await heart(page, second).focus();
    await page.keyboard.press("Enter");
    await waitForShortlist(page, [first, third]);
    await page.waitForFunction((id) => document.activeElement?.getAttribute("value") === id, third);
    await close();
  });
});

describe("the actions of a shortlist", () => {
  test("Share copies an address that shows the same list to anyone", async () => {
    const { page, close } = await open("/models", {
      ...desk,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (const id of [second, first]) await save(page, id);
    await page.goto("/favorites");
    await waitForShortlist(page, [second, first]);
    await more(page, "link", "Share");
    await page.locator("#shortlist [role=status]", { hasText: "Link copied." }).waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const other = await open(address);
    await waitForShortlist(other.page, [second, first]);
    await other.close();
    await close();
  });
});

/** enquiredIds are the ids of the talents in the enquiry on the page. */
const enquiredIds = (page: Page) =>
  page
    .locator("#contact-form [name=ids]")
    .evaluateAll((all: HTMLInputElement[]) => all.map((element) => element.value));

describe("the enquiry about favourites", () => {
  test("lists them, keeps its content after an error, and is delivered", async () => {
    const { page, close } = await open("/pt/models", phone);
    for (const id of [first, second, third]) await save(page, id);
    await page.goto("/pt/favorites");
    await waitForShortlist(page, [first, second, third]);
    await page.getByRole("link", { name: "Consultar" }).click();
    const form = page.locator("#contact-form");
    await form.getByText(name(third)).waitFor();
    assert.deepEqual(await enquiredIds(page), [first, second, third]);
    await form.getByRole("button", { name: name(second) }).click();
    await form.getByText(name(second)).waitFor({ state: "detached" });
    await page.locator("#contact-form [name=message]").fill("Dois dias em maio.");
    await page.locator("#contact-form [name=city]").fill("Lisboa");
    await page.locator("#contact-form button[data-state]").click();
    await page.locator("#errors").waitFor();
    assert.equal(new URL(page.url()).pathname, "/pt/contato");
    assert.deepEqual(await enquiredIds(page), [first, third]);
    assert.equal(await page.locator("#contact-form [name=message]").inputValue(), "Dois dias em maio.");
    assert.equal(await page.locator("#contact-form [name=city]").inputValue(), "Lisboa");
    await fill(page, { name: "Júlia Prado", email: "julia@example.com", phone: "+351 912 345 678" });
    await page.locator("#contact-form button[data-state]").click();
    await page.locator("[data-receipt]").waitFor();
    await close();
  });
});

describe("whom a shortlist is for", () => {
  for (const [way, options, script] of ways)
    test(`answers for each person, ${way}`, async () => {
      const address = `/favorites?ids=${[first, second, third].join()}&for=Maison+Ferrand`;
      const { page, close } = await open(address, { ...phone, ...options }, script);
      const answer = (id: string, word: string) =>
        page.getByRole("group", { name: name(id) }).getByRole("radio", { name: word });
      const note = page.getByRole("group", { name: name(third) }).getByRole("textbox", { name: "Note" });
      assert.equal(await note.isVisible(), false, "a note without an answer would not be read");
      await answer(first, "Maybe").check();
      await answer(third, "Yes").check();
      await note.fill("Free in May?");
      if (way === "with JavaScript") await page.reload();
      const kept = async () => {
        assert.ok(await answer(first, "Maybe").isChecked());
        assert.ok(await answer(third, "Yes").isChecked());
        assert.equal(await note.inputValue(), "Free in May?");
      };
      await page.locator("#answer button[data-state]").click();
      await page.locator("#errors").waitFor();
      await kept();
      await fill(page, { name: "Júlia Prado", email: "julia@example.com", phone: "+351 912 345 678" });
      await page.locator("#answer button[data-state]").click();
      await page.locator("[data-receipt]").waitFor();
      assert.equal(new URL(page.url()).searchParams.get("ids"), [third, first].join());
      await close();
    });
});

test("a comparison has one scale, and prints on one page with its agency and address", async () => {
  const [a, b] = measured;
  assert.ok(a && b);
  const { page, close } = await open(`/favorites/compare?ids=${a.id},${b.id}`);
  const [cmA, cmB] = [oracle.known.get(a.id)!.cm!, oracle.known.get(b.id)!.cm!];
  const tops = await page
    .locator("#lineup [role=img] > .crown")
    .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().y));
  const marks = await page
    .locator("#lineup tr:first-child > td:first-child text")
    .evaluateAll((all) =>
      all
        .map((element) => ({ cm: Number(element.textContent), y: element.getBoundingClientRect().y }))
        .filter(({ cm }) => cm > 0),
    );
  const perCm = (marks.at(-1)!.y - marks[0]!.y) / (marks[0]!.cm - marks.at(-1)!.cm);
  assert.ok(Math.abs(tops[1]! - tops[0]! - (cmA - cmB) * perCm) < 1.5);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("banner").isVisible(), false);
  const paper = await page.locator("main").innerText();
  assert.ok(paper.startsWith("Best Management"), paper);
  assert.ok(
    paper.includes("cm") && paper.trimEnd().endsWith(`/favorites/compare?ids=${a.id},${b.id}`),
    paper,
  );
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  assert.deepEqual(pdf.match(/\/Type \/Page\b/g)?.length, 1, "on one page");
  assert.match(pdf, /\/MediaBox \[0 0 84\d[.\d]* 59\d/, "in landscape");
  for (const [path, pages] of [
    ["/favorites/compare?ids=101,106,118,120", 1], // four, one with the longest name
    ["/models/women", 2],
    ["/contact", 1],
  ] as const) {
    await page.goto(path);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, pages, path);
  }
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto("/favorites/compare?ids=101,106,118,120"); // whose hair is Dark Brown beside Platinum Blonde
  const wide = await page
    .locator("#lineup td span")
    .evaluateAll((all) =>
      all
        .filter(
          (value) =>
            value.getBoundingClientRect().right > value.closest("td")!.getBoundingClientRect().right + 1,
        )
        .map((value) => value.textContent),
    );
  assert.deepEqual(wide, [], "each value stays in its column");
  await close();
});

describe("a printed shortlist", () => {
  const long = oracle.talents.find(({ name }) => name.startsWith("Maria Fernanda"))!;
  const six = [...measured.slice(0, 5), long].map(({ id }) => id);
  const waitForPictures = (page: Page) =>
    page.waitForFunction(() => [...document.images].every((img) => img.complete && img.naturalWidth));

  test("numbers six talents on a page, with measures, lines for notes and contacts", async () => {
    const { page, close } = await open(`/favorites?ids=${six.join()}`);
    // Safari does not load lazy pictures for printing, so the page does at this event. Chromium does by itself.
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await waitForPictures(page);
    await page.emulateMedia({ media: "print" });
    const sheetText = (await page.locator("#shortlist").innerText()).replace(/[\s\u00a0]+/g, " ");
    const address = `${site.url.split("//")[1]}/favorites?ids=${six.join()}`;
    assert.match(sheetText, /^Best Management .+ Shortlist 6 profiles · centimetres/);
    assert.ok(sheetText.endsWith(`bookings@best.example · +55 (11) 91234-5678 ${address}`), sheetText);
    const cards = page.locator("#board > li");
    assert.equal(await cards.count(), 6);
    const rules: number[] = [];
    for (const [i, card] of (await cards.all()).entries()) {
      const text = (await card.innerText()).replace(/[\s\u00a0]+/g, " ");
      assert.ok(text.includes(`${name(six[i]!)} 0${i + 1} Height `), text);
      assert.ok(text.includes(`${oracle.known.get(six[i]!)!.cm} cm, `), text);
      const rule = card.locator("p").last();
      assert.equal(await rule.evaluate((p) => getComputedStyle(p).borderBottomStyle), "solid");
      rules.push(Math.round(await rule.evaluate((p) => p.getBoundingClientRect().bottom)));
    }
    assert.equal(new Set(rules).size, 2, "the lines for notes of a row are aligned");
    for (const control of ["banner", "contentinfo", "button", "checkbox"] as const)
      assert.equal(await page.getByRole(control).filter({ visible: true }).count(), 0, control);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
    await close();
  });
});

describe("the favourites and comparison pages", () => {
  const sizes: Record<string, BrowserContextOptions> = { phone, desk };
  for (const [size, options] of Object.entries(sizes)) {
    test(`have no accessibility violation and fit the width, ${size}`, async () => {
      const { page, close } = await visit(browser, site, { ...options, bypassCSP: true });
      for (const prefix of prefixesOn(options)) {
        const check = (what: string) => (prefix === "" ? accessible : fits)(page, what);
        await page.goto(`${prefix}/favorites`);
        await page.evaluate(() => localStorage.clear());
        await page.reload();
        await waitForShortlist(page, []);
        await page.locator("#empty").waitFor();
        await check(`${prefix} empty`);
        await page.goto(`${prefix}/favorites?ids=${all.slice(0, 6).join()}`);
        await check(`${prefix} shared`);
        await page.goto(`${prefix}/favorites/compare?ids=${[first, second, fourth, fifth].join()}`);
        await check(`${prefix} compare`);
        await page.goto(`${prefix}/models`);
        for (const id of [first, second]) await save(page, id);
        await page.goto(`${prefix}/favorites`);
        await waitForShortlist(page, [first, second]);
        await check(`${prefix} own`);
      }
      await close();
    });
  }
});

// The talent lists: every rule against an oracle of its own, over 300 generated talents, with the
// script, without it, and where it fails to load.
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { BackEnds, roster } from "./fake";
import { letters, Oracle, type State } from "./oracle";
import { axe, desk, phone, startBrowser, startSite, visit, type Site } from "./site";

const { talents, known } = roster(300);
const oracle = new Oracle(talents, known);
const backEnds = new BackEnds(talents);
let site: Site;
let browser: Browser;

before(async () => {
  await backEnds.start();
  [site, browser] = await Promise.all([startSite(backEnds.env), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop();
  await backEnds.stop();
});

/** open visits a list; what the browser complains about fails the test when it closes. */
async function open(path: string, options: BrowserContextOptions = desk, script: "runs" | "fails" = "runs") {
  const { page, complaints, close } = await visit(browser, site, options);
  if (script === "fails") await page.route("**/static/site-*.js", (route) => route.abort());
  await page.goto(path);
  return {
    page,
    async close() {
      const own = complaints.filter((text) => !text.startsWith(`foreign: ${backEnds.url}`));
      if (script === "runs") assert.deepEqual(own, []);
      await close();
    },
  };
}

const shown = (page: Page) =>
  page
    .locator("#board [data-talent]")
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.talent!));

/** settled waits until the page shows the list of a state, and checks all that the state decides. */
async function settled(page: Page, state: State, show = 20): Promise<void> {
  const list = oracle.list(state);
  const name = JSON.stringify(state);
  await page
    .waitForFunction(
      (expected) =>
        [...document.querySelectorAll<HTMLElement>("#board [data-talent]")]
          .map((one) => one.dataset.talent)
          .join() === expected,
      list.slice(0, show).join(),
      { timeout: 5000 },
    )
    .catch(async () => assert.deepEqual(await shown(page), list.slice(0, show), name));
  const [filters, current, there, disabled, letter] = await Promise.all(
    [
      "[data-filter]",
      "[data-filter][aria-current]",
      "a[data-letter]",
      "span[data-letter][aria-disabled=true]",
      "[data-letter][aria-current]",
    ].map((selector) =>
      page
        .locator(selector)
        .evaluateAll((all) =>
          all.map((one) => (one as HTMLElement).dataset.filter ?? (one as HTMLElement).dataset.letter!),
        ),
    ),
  );
  const count = await page.locator(".pagehead [role=status]").textContent();
  const lead = oracle.letters(state);
  assert.deepEqual(
    { count, filters, current, letters: there, disabled, letter },
    {
      count: list.length === 1 ? "1 talent" : `${list.length} talents`,
      filters: oracle.filters(state),
      current: oracle.current(state),
      letters: lead,
      disabled: letters.filter((letter) => !lead.includes(letter)),
      letter: state.letter ? [state.letter] : [],
    },
    name,
  );
  assert.equal(await page.locator(".empty").count(), list.length === 0 ? 1 : 0, name);
}

/** press clicks a button of the rows or a letter, and checks what comes. */
async function press(page: Page, state: State, what: string): Promise<State> {
  if (letters.includes(what)) {
    await page.locator(`a[data-letter="${what}"]`).click();
    state = { ...state, letter: state.letter === what ? undefined : what };
  } else {
    await page.locator(`[data-filter="${what}"]`).click();
    state = oracle.click(state, what);
  }
  await settled(page, state);
  return state;
}

const models: State = { board: "models" };

const ways: [string, BrowserContextOptions, "runs" | "fails"][] = [
  ["with the script", {}, "runs"],
  ["without JavaScript", { javaScriptEnabled: false }, "runs"],
  ["where the script fails to load", {}, "fails"],
];

for (const [way, options, script] of ways) {
  describe(way, () => {
    test("a long walk through the filters shows what the oracle says, and so does each address", async () => {
      const { page, close } = await open("/models", { ...desk, ...options }, script);
      let seed = 11;
      const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
      for (const board of ["models", "creative"] as const) {
        await page.goto(`/${board}`);
        let state: State = { board };
        await settled(page, state);
        for (let step = 0; step < 14; step++) {
          const choices = random(3) === 0 ? oracle.letters(state) : oracle.filters(state);
          if (choices.length === 0) continue;
          state = await press(page, state, choices[random(choices.length)]!);
        }
        await page.goto(page.url());
        await settled(page, state);
      }
      await close();
    });

    test("a name, a height and colours are found by a form", async () => {
      const { page, close } = await open("/models/women?letter=A", { ...desk, ...options }, script);
      await page.locator("#finder summary").click();
      await page.locator("#find-name").fill("MOREÎRA");
      await page.locator("#height_from").fill("155");
      await page.getByRole("button", { name: "Show talents" }).click();
      const state: State = { board: "models", gender: "woman", letter: "A", q: "moreira", from: 155 };
      assert.ok(oracle.count(state) > 0);
      await settled(page, state);
      assert.ok(
        (await page.locator("#finder").getAttribute("open")) !== null,
        "what narrows the list is in sight",
      );
      await close();
    });

    test("show more shows twenty more, and the address says so", async () => {
      const { page, close } = await open("/models", { ...desk, ...options }, script);
      await settled(page, models);
      await page.getByRole("link", { name: "Show more" }).click();
      await page.waitForURL(/\?show=40$/);
      await settled(page, models, 40);
      await close();
    });
  });
}

describe("rules of the filters", () => {
  const rules: [string, string[], State][] = [
    [
      "a gender clears category and subcategory",
      ["category:kids", "subcategory:boys", "gender:woman"],
      { ...models, gender: "woman" },
    ],
    [
      "another gender clears the subcategory",
      ["gender:woman", "subcategory:fit", "gender:man"],
      { ...models, gender: "man" },
    ],
    [
      "kids clears gender and subcategory",
      ["gender:man", "subcategory:big", "category:kids"],
      { ...models, category: "kids" },
    ],
    ["fluid clears gender", ["gender:woman", "category:fluid"], { ...models, category: "fluid" }],
    [
      "girls are the girls among the kids",
      ["category:kids", "subcategory:girls"],
      { ...models, category: "kids", subcategory: "girls" },
    ],
    [
      "boys are the boys among the kids",
      ["category:kids", "subcategory:boys"],
      { ...models, category: "kids", subcategory: "boys" },
    ],
    ["all clears everything with the letter", ["gender:woman", "subcategory:fit", "A", "all"], models],
    ["a letter that is clicked again is cleared", ["gender:woman", "A", "A"], { ...models, gender: "woman" }],
    ["a change of filter keeps the letter", ["A", "gender:man"], { ...models, gender: "man", letter: "A" }],
    [
      "the subcategories' own all keeps the gender",
      ["gender:man", "subcategory:life", "subcategory:all"],
      { ...models, gender: "man" },
    ],
  ];
  for (const [rule, clicks, end] of rules) {
    test(rule, async () => {
      const { page, close } = await open("/models");
      let state = models;
      for (const click of clicks) state = await press(page, state, click);
      await settled(page, end);
      await close();
    });
  }

  test("a preselection in the address counts as a choice", async () => {
    const { page, close } = await open("/models?subcategory=kids");
    await settled(page, { ...models, category: "kids" });
    await page.goto("/models?subcategory=man");
    await settled(page, { ...models, gender: "man" });
    await page.goto("/models?gender=nobody&category=x&subcategory=y&letter=1&show=7");
    await settled(page, models);
    await close();
  });

  test("gender is hidden on creative", async () => {
    const { page, close } = await open("/creative?gender=woman");
    await settled(page, { board: "creative" });
    await close();
  });

  test("where nobody is left, chips take the choices back one by one", async () => {
    const { page, close } = await open("/models/women?q=nobody+is+called+this&hair=red&height_from=199");
    await settled(page, { ...models, gender: "woman", q: "nobody is called this", hair: "red", from: 199 });
    await page.locator(".chip", { hasText: "nobody is called" }).click();
    await settled(page, { ...models, gender: "woman", hair: "red", from: 199 });
    await page.locator(".chip", { hasText: "199" }).click();
    await settled(page, { ...models, gender: "woman", hair: "red" });
    assert.ok(
      await page.evaluate(() => document.activeElement?.tagName === "H1"),
      "focus is not lost with the chip",
    );
    await close();
  });

  test("Back, Forward, reload and a new tab show the state of the address", async () => {
    const { page, close } = await open("/models");
    const states = [models];
    for (const click of ["gender:woman", "subcategory:fit", "category:kids"])
      states.push(await press(page, states.at(-1)!, click));
    for (const state of states.slice(0, -1).reverse()) {
      await page.goBack();
      await settled(page, state);
    }
    for (const state of states.slice(1)) {
      await page.goForward();
      await settled(page, state);
    }
    await page.reload();
    await settled(page, states.at(-1)!);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await settled(tab, states.at(-1)!);
    assert.match(await tab.title(), /^Kids/);
    await close();
  });

  test("clicks in quick succession end with the last one", async () => {
    const { page, close } = await open("/models");
    await page.route("**/models/women*", async (route) => {
      await page.waitForRequest(/\/models\/men/).catch(() => undefined);
      await route.continue().catch(() => undefined);
    });
    await page.locator('[data-filter="gender:woman"]').click();
    await page.locator('[data-filter="gender:man"]').click();
    await settled(page, { ...models, gender: "man" });
    assert.equal(new URL(page.url()).pathname, "/models/men");
    await close();
  });
});

describe("a change in place", () => {
  test("keeps document, scroll, focus and the strip of letters, and says the number", async () => {
    const { page, close } = await open("/models/women", phone);
    await page.evaluate(() => {
      const status = document.querySelector(".pagehead [role=status]")!;
      document.querySelector("#letters")!.scrollLeft = 120;
      scrollTo(0, 300);
      Object.assign(window, { told: status });
    });
    await page.locator('[data-filter="gender:man"]').focus();
    await page.keyboard.press("Enter");
    await settled(page, { ...models, gender: "man" });
    const after = await page.evaluate(() => ({
      same:
        (window as unknown as { told: Element }).told === document.querySelector(".pagehead [role=status]"),
      focus: (document.activeElement as HTMLElement).dataset.filter,
      strip: document.querySelector("#letters")!.scrollLeft,
      y: scrollY,
    }));
    assert.deepEqual(after, { same: true, focus: "gender:man", strip: 120, y: 300 });
    assert.match(
      (await page.locator("footer [data-language=pt]").getAttribute("href")) ?? "",
      /\/pt\/homens$/,
    );
    await close();
  });

  test("shows the line for 800 ms and the result before that", async () => {
    const { page, close } = await open("/models", { ...desk, reducedMotion: "no-preference" });
    const times = page.evaluate(
      () =>
        new Promise<{ result: number; line: number; dimmed: boolean }>((resolve) => {
          let start = 0;
          let result = 0;
          let dimmed = false;
          const timer = setInterval(() => {
            const busy = document.documentElement.dataset.busy === "list";
            if (busy && !start) start = performance.now();
            if (busy && document.querySelector("#board[aria-busy]")) dimmed = true;
            if (!result && document.querySelector('[data-filter="gender:woman"][aria-current]'))
              result = performance.now();
            if (!start || busy) return;
            clearInterval(timer);
            resolve({ result: result - start, line: performance.now() - start, dimmed });
          });
        }),
    );
    await page.locator('[data-filter="gender:woman"]').click();
    const { result, line, dimmed } = await times;
    assert.ok(line >= 780 && line < 1500, `the line ran for ${line} ms`);
    assert.ok(result < 700, `the result came after ${result} ms`);
    assert.ok(dimmed);
    assert.equal(await page.locator("[aria-busy]").count(), 0);
    await close();
  });

  test("shows no line with reduced motion", async () => {
    const { page, close } = await open("/models");
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => seen.push(document.documentElement.dataset.busy ?? "")).observe(
        document.documentElement,
        { attributes: true, attributeFilter: ["data-busy"] },
      );
    });
    await press(page, models, "gender:woman");
    assert.deepEqual(await page.evaluate(() => (window as unknown as { seen: string[] }).seen), []);
    await close();
  });
});

describe("the endless list", () => {
  const end = (page: Page) => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const cards = async (page: Page, n: number) =>
    page.waitForFunction((n) => document.querySelectorAll("#board > li").length === n, n);

  test("grows by 20 near its end, then lets the footer have its turn", async () => {
    const { page, close } = await open("/models");
    for (const n of [40, 60, 80, 100]) {
      await end(page);
      await cards(page, n);
    }
    assert.deepEqual(await shown(page), oracle.list(models).slice(0, 100));
    assert.match(page.url(), /show=100$/);
    await end(page);
    await page.locator("#more a").waitFor();
    await page.waitForFunction(() => {
      const footer = document.querySelector("footer")!.getBoundingClientRect();
      return footer.bottom <= innerHeight + 1;
    });
    assert.equal((await shown(page)).length, 100, "the footer stays");
    assert.equal(await page.locator("#more [role=status]").textContent(), `100 of ${oracle.count(models)}`);

    await page.locator("#more a").focus();
    await page.keyboard.press("Enter");
    await cards(page, 120);
    assert.equal(
      await page.evaluate(
        () => document.activeElement?.closest<HTMLElement>("[data-talent]")?.dataset.talent,
      ),
      oracle.list(models)[100],
      "the keyboard goes on with the first new card",
    );
    await close();
  });

  test("does not grow before its end is near", async () => {
    const { page, close } = await open("/models");
    const top = await page.locator("#more a").evaluate((more) => more.getBoundingClientRect().top + scrollY);
    await page.evaluate((y) => scrollTo(0, y), top - 900 - 140);
    await page.waitForFunction(() =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => true),
    );
    assert.equal((await shown(page)).length, 20);
    await page.evaluate((y) => scrollTo(0, y), top - 900 - 60);
    await cards(page, 40);
    await close();
  });

  test("ends with everybody", async () => {
    const state: State = { ...models, gender: "woman" };
    const all = oracle.list(state);
    assert.ok(all.length > 20 && all.length < 100);
    const { page, close } = await open("/models/women");
    while ((await shown(page)).length < all.length) {
      const before = (await shown(page)).length;
      await end(page);
      await cards(page, Math.min(before + 20, all.length));
    }
    assert.deepEqual(await shown(page), all);
    assert.equal(await page.locator("#more a").count(), 0);
    await close();
  });

  test("is where it was when one comes back from a profile", async () => {
    const { page, close } = await open("/models");
    for (const n of [40, 60]) {
      await end(page);
      await cards(page, n);
    }
    const card = page.locator("#board > li").nth(47).locator("h2 a");
    await card.scrollIntoViewIfNeeded();
    const y = await page.evaluate(() => scrollY);
    await card.click();
    await page.waitForURL(/\/models\/\d+\//);
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await settled(page, models, 60);
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 2, y);
    await close();
  });

  test("asks no second time for what did not come, until one asks for it", async () => {
    const { page, close } = await open("/models");
    let tries = 0;
    await page.route("**/models?show=40", (route) => (++tries === 1 ? route.abort() : route.continue()));
    await end(page);
    await page.locator('.bar[data-state="failed"]').waitFor();
    await page.locator("#more a").click();
    await cards(page, 40);
    assert.equal(tries, 2);
    await page.evaluate(() => 0);
    await page.context().close();
    void close;
  });
});

describe("finding", () => {
  test("names are found by any part, without accents and case, hostile ones too", async () => {
    const { page, close } = await open("/models");
    await page.locator("#finder summary").click();
    for (const q of ["GATA", "wisniew", "sohne", "ørjan", "<script>", "º%\\", "李", "Мария", "uma"]) {
      await page.locator("#find-name").fill(q);
      const plain = q === "ørjan" ? "orjan" : q;
      await settled(page, { ...models, q: plain });
      assert.equal(await page.evaluate(() => document.activeElement?.id), "find-name");
      assert.equal(await page.locator("#find-name").inputValue(), q);
    }
    await close();
  });

  test("typing a name is one step back", async () => {
    const { page, close } = await open("/models");
    await page.locator("#finder summary").click();
    await page.locator("#find-name").focus();
    for (const q of ["a", "ag", "aga"]) {
      await page.locator("#find-name").fill(q);
      await settled(page, { ...models, q });
      await page.waitForURL(new RegExp(`q=${q}$`));
    }
    await page.goBack();
    await settled(page, models);
    assert.equal(new URL(page.url()).search, "");
    await close();
  });

  test("heights, hair and eyes narrow the list together with the buttons", async () => {
    const { page, close } = await open("/models");
    await page.locator("#finder summary").click();
    await page.locator("#height_from").fill("160");
    let state: State = { ...models, from: 160 };
    await settled(page, state);
    await page.locator("#height_to").fill("180");
    state = { ...state, to: 180 };
    await settled(page, state);
    await page.locator("#find-hair").selectOption("brown");
    state = { ...state, hair: "brown" };
    await settled(page, state);
    state = await press(page, state, "gender:woman");
    assert.equal(new URL(page.url()).search, "?hair=brown&height_from=160&height_to=180");
    await close();
  });

  test("choices say how many they leave and never promise an empty list", async () => {
    for (const [path, state] of [
      ["/models", models],
      ["/models/women?letter=A&height_from=160", { ...models, gender: "woman", letter: "A", from: 160 }],
      ["/creative?category=make&hair=red", { board: "creative", category: "make", hair: "red" }],
    ] as [string, State][]) {
      const { page, close } = await open(path);
      const choices = await page.locator("#finder option:not([value=''])").evaluateAll((all) =>
        (all as HTMLOptionElement[]).map((o) => ({
          row: (o.closest("select") as HTMLSelectElement).name as "hair" | "eyes",
          value: o.value,
          leaves: Number(/\((\d+)\)$/.exec(o.text)?.[1]),
          disabled: o.disabled,
        })),
      );
      assert.equal(choices.length, 12);
      for (const { row, value, leaves, disabled } of choices) {
        const count = oracle.count({ ...state, [row]: value });
        assert.equal(leaves, count, `${path} ${row} ${value}`);
        assert.equal(disabled, count === 0 && state[row] !== value, `${path} ${row} ${value}`);
      }
      await close();
    }
  });
});

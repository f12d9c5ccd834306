// The site of an agency of 300 generated talents, for all tests that only read, with helpers of those of the lists.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { BackEnds } from "./backends";
import { browser } from "./browser";
import { letters, Oracle, type State } from "./oracle";
import { roster } from "./roster";
import { desk, startSite, visit, type Site } from "./site";

const { talents, known } = roster(300);
export const oracle = new Oracle(talents, known);
/** The first model with a cover, whose pictures the storage does not have. */
export const broken = oracle
  .list({ board: "models" })
  .find((id) => talents.find((one) => one.id === id)!.cover)!;
export { browser };
export let backEnds: BackEnds;
export let site: Site;

before(async () => {
  backEnds = await BackEnds.start({ talents });
  await backEnds.fail({ [`/storage/talents/${broken}/`]: 404 });
  site = await startSite(backEnds.env);
});
after(async () => {
  await site.stop();
  await backEnds.stop();
});

export type Way = [name: string, options: BrowserContextOptions, script: "runs" | "fails"];

/** The kinds of browsers with which tests are repeated. */
export const ways: Way[] = [
  ["with JavaScript", {}, "runs"],
  ["without JavaScript", { javaScriptEnabled: false }, "runs"],
  ["with a script that fails to load", {}, "fails"],
];

/** open visits a page; close fails the test if the browser has reported errors. */
export async function open(path: string, options: BrowserContextOptions = desk, script: Way[2] = "runs") {
  const { page, complaints, close } = await visit(browser, site, options);
  if (script === "fails") await page.route("**/static/site-*.js", (route) => route.abort());
  await page.goto(path);
  return {
    page,
    close: async () => {
      const errors = complaints.filter((text) => !text.startsWith(`foreign: ${backEnds.url}`));
      if (script === "runs") assert.deepEqual(errors, []);
      await close();
    },
  };
}

export const shown = (page: Page) =>
  page
    .locator("#board [data-talent]")
    .evaluateAll((elements) => elements.map((element) => (element as HTMLElement).dataset.talent!));

/** settled waits until the page shows the list of a state, and checks everything that depends on it. */
export async function settled(page: Page, state: State, show = 20): Promise<void> {
  const list = oracle.list(state);
  const name = JSON.stringify(state);
  await page
    .waitForFunction(
      (expected) =>
        document.readyState !== "loading" && // without JavaScript the next page may not have a list yet
        [...document.querySelectorAll<HTMLElement>("#board [data-talent]")]
          .map((element) => element.dataset.talent)
          .join() === expected,
      list.slice(0, show).join(),
      { timeout: 15_000 },
    )
    .catch(async () => assert.deepEqual(await shown(page), list.slice(0, show), name));
  const selectors = {
    filters: "[data-filter]",
    current: "[data-filter][aria-current]",
    letters: "a[data-letter]",
    disabled: "span[data-letter][aria-disabled=true]",
    letter: "[data-letter][aria-current]",
  };
  const found = await page.evaluate((selectors) => {
    const lists = Object.entries(selectors).map(([list, selector]) => [
      list,
      [...document.querySelectorAll<HTMLElement>(selector)].map(
        ({ dataset }) => dataset.filter ?? dataset.letter,
      ),
    ]);
    const count = document.querySelector("#count")!.textContent;
    const empty = document.querySelector("#empty") !== null;
    return { ...(Object.fromEntries(lists) as object), count, empty };
  }, selectors);
  const withTalents = oracle.letters(state);
  assert.deepEqual(
    found,
    {
      count: list.length === 1 ? "1 profile" : `${list.length} profiles`,
      filters: oracle.filters(state),
      current: oracle.current(state),
      letters: withTalents,
      disabled: letters.filter((letter) => !withTalents.includes(letter)),
      letter: state.letter ? [state.letter] : [],
      empty: list.length === 0,
    },
    name,
  );
}

/** press clicks a filter button or a letter, and checks the result. */
export async function press(page: Page, state: State, choice: string): Promise<State> {
  if (letters.includes(choice)) {
    await page.locator(`a[data-letter="${choice}"]`).click();
    state = { ...state, letter: state.letter === choice ? undefined : choice };
  } else {
    await page.locator(`[data-filter="${choice}"]`).click();
    state = oracle.click(state, choice);
  }
  await settled(page, state);
  return state;
}

// Every screen by keyboard, at 400 % zoom, and with reduced motion.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { everyScreen } from "./screens";
import { fits, startBrowser, startSite, visit, type Site } from "./site";

let site: Site;
let browser: Browser;
before(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop();
});

const laptop = { width: 1280, height: 720 };
const zoomed = { width: 320, height: 256 }; // a window of 1280 x 1024 at 400 %

const screens = [
  ...everyScreen,
  "/models/women?view=sheet&height_from=175&height_to=180",
  "/models/women?view=names",
  "/models/101?gallery=snap&height_from=175&height_to=180",
  "/favorites?ids=101,106,118",
  "/favorites/compare?ids=101,106",
  "/contact?ids=101,106",
];
// All lists work alike: one is tested as cards, one as a sheet, one as names.
const alike = ["/models", "/models/kids", "/creative"];
// Screens with sticky bars, and those with the largest forms.
const crowded = ["/models/women?height_from=175", "/models/101", "/be-a-model", "/favorites?ids=101,106"];

/** focused describes the focused element, and what is wrong with its visibility. */
const focused = () => {
  const at = document.activeElement;
  if (!at || at === document.body) return undefined;
  // A checkbox is drawn by its label, and a link as a card.
  const labels = [...((at as HTMLInputElement).labels ?? [])];
  const drawn = [at, ...labels];
  const seen = drawn.some((one) =>
    [...one.getClientRects()].some((box) => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      if (right - left < 1 || bottom - top < 1) return false;
      return [0.5, 0.1, 0.9].some((part) => {
        const hit = document.elementFromPoint(left + (right - left) * part, top + (bottom - top) * part);
        return hit !== null && (one.contains(hit) || labels.some((label) => label.contains(hit)));
      });
    }),
  );
  const around = at.closest("article, label, [data-input], li") ?? at;
  const ringed = [at, ...labels, around, ...around.querySelectorAll("*")].some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || boxShadow !== "none";
  });
  const name = at.outerHTML.slice(0, at.outerHTML.indexOf(">") + 1).slice(0, 200);
  return { name, fault: [!seen && "not seen", !ringed && "no ring"].filter(Boolean).join(", ") };
};

/** walk presses Tab through the whole page, and lists focused elements that were not visible. */
async function walk(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let stops = 0; stops < 400; stops++) {
    await page.keyboard.press("Tab");
    let now = await page.evaluate(focused);
    if (!now) return stops < 5 ? ["it has no more than the skip link"] : faults;
    if (now.fault)
      now = await page
        .waitForFunction(`!(${focused.toString()})()?.fault`, undefined, { timeout: 1000 })
        .then(
          () => undefined,
          () => page.evaluate(focused),
        );
    if (now?.fault) faults.push(`${now.fault}: ${now.name}`);
  }
  return [...faults, "it never ends"];
}

/** stuck is the share of the screen's height that bars cover, wherever the page is scrolled to. */
const stuck = () => {
  const bars = [...document.querySelectorAll("body *")].filter((one) =>
    ["sticky", "fixed"].includes(getComputedStyle(one).position),
  );
  const shares = [0, 0.3, 0.7, 1].map((part) => {
    scrollTo({ top: part * (document.documentElement.scrollHeight - innerHeight), behavior: "instant" });
    const rows = new Set<number>();
    for (const bar of bars) {
      if (!bar.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { position, top, bottom } = getComputedStyle(bar);
      const box = bar.getBoundingClientRect();
      const sticks =
        position === "fixed" ||
        Math.abs(box.top - parseFloat(top)) < 1 ||
        Math.abs(innerHeight - box.bottom - parseFloat(bottom)) < 1;
      if (!sticks || box.width < innerWidth / 2) continue;
      for (let y = Math.max(0, Math.ceil(box.top)); y < Math.min(innerHeight, box.bottom); y++) rows.add(y);
    }
    return rows.size / innerHeight;
  });
  scrollTo({ top: 0, behavior: "instant" });
  return Math.max(...shares);
};

test("a keyboard sees where it is on every screen, and nothing moves for who wants less of it", async () => {
  const { page, complaints, close } = await visit(browser, site, { viewport: laptop });
  const found: Record<string, string[]> = {};
  for (const path of screens.filter((one) => !alike.includes(one))) {
    await page.goto(path);
    const faults = await walk(page);
    if (faults.length) found[path] = faults;
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== "running"),
    );
  }
  assert.deepEqual(found, {});
  assert.deepEqual(complaints, []);
  await close();
});

test("at 400 % nothing scrolls sideways, no bar takes half of the screen, and none hides the focus", async () => {
  const { page, close } = await visit(browser, site, { viewport: zoomed });
  const found: Record<string, unknown> = {};
  for (const path of screens) {
    await page.goto(path);
    await fits(page, path);
    const share = await page.evaluate(stuck);
    if (share > 0.5) found[path] = share;
  }
  for (const path of crowded) {
    await page.goto(path);
    const faults = await walk(page);
    if (faults.length) found[path] = faults;
  }
  assert.deepEqual(found, {});
  await close();
});

// Every screen with axe, by keyboard, at 400 % zoom, and with reduced motion.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { everyScreen } from "./screens";
import { browser, site } from "./demo";
import { accessible, desk, fits, phone, prefixesOn, visit } from "./site";

const laptop = { width: 1280, height: 720 };
const zoomed = { width: 320, height: 256 }; // a window of 1280 x 1024 at 400 %

const screens = [
  ...everyScreen,
  "/models/women?view=sheet&height_from=175&height_to=180",
  "/models/women?view=names",
  "/models/101?gallery=snap&height_from=175&height_to=180",
  "/favorites?ids=101,106,118",
  "/favorites?ids=101,106,118&for=Maison+Ferrand",
  "/favorites/compare?ids=101,106",
  "/contact?ids=101,106",
];
// Lists that are not tested by keyboard, because the other lists cover each view.
const similarLists = ["/models", "/models/kids", "/creative"];
// Screens with sticky bars or large forms.
const withBars = ["/models/women?height_from=175", "/models/101", "/be-a-model", "/favorites?ids=101,106"];

/** focusState describes the focused element, if any, and what is wrong with its visibility. */
const focusState = () => {
  const active = document.activeElement;
  if (!active || active === document.body) return undefined;
  // A checkbox may be visible through its label only, and a link through its card.
  const labels = [...((active as HTMLInputElement).labels ?? [])];
  const targets = [active, ...labels];
  const visible = targets.some((element) =>
    [...element.getClientRects()].some((box) => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      if (right - left < 1 || bottom - top < 1) return false;
      return [0.5, 0.1, 0.9].some((fraction) => {
        const hit = document.elementFromPoint(
          left + (right - left) * fraction,
          top + (bottom - top) * fraction,
        );
        return hit !== null && (element.contains(hit) || labels.some((label) => label.contains(hit)));
      });
    }),
  );
  const surroundings = active.closest("article, label, [data-input], li") ?? active;
  const hasRing = [active, ...labels, surroundings, ...surroundings.querySelectorAll("*")].some((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || boxShadow !== "none";
  });
  const name = active.outerHTML.slice(0, active.outerHTML.indexOf(">") + 1).slice(0, 200);
  return { name, fault: [!visible && "not visible", !hasRing && "no focus ring"].filter(Boolean).join(", ") };
};

/** tabThrough presses Tab until the end of the page and lists the focused elements that were not visible. */
async function tabThrough(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let presses = 0; presses < 400; presses++) {
    await page.keyboard.press("Tab");
    let state = await page.evaluate(focusState);
    if (!state) return presses < 5 ? ["only the skip link gets the focus"] : faults;
    if (state.fault)
      state = await page
        .waitForFunction(`!(${focusState.toString()})()?.fault`, undefined, { timeout: 1000 })
        .then(
          () => undefined,
          () => page.evaluate(focusState),
        );
    if (state?.fault) faults.push(`${state.fault}: ${state.name}`);
  }
  return [...faults, "no end after 400 presses of Tab"];
}

/** barShare is the largest share of the screen's height that sticky and fixed bars cover, at four scroll positions. */
const barShare = () => {
  const bars = [...document.querySelectorAll("body *")].filter((element) =>
    ["sticky", "fixed"].includes(getComputedStyle(element).position),
  );
  const shares = [0, 0.3, 0.7, 1].map((fraction) => {
    scrollTo({ top: fraction * (document.documentElement.scrollHeight - innerHeight), behavior: "instant" });
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

describe("every screen", () => {
  for (const [name, options] of Object.entries({ phone, desk })) {
    test(`is accessible, fits the width and causes no browser errors, ${name}`, async () => {
      const { page, complaints, close } = await visit(browser, site, { ...options, bypassCSP: true });
      for (const prefix of prefixesOn(options)) {
        for (const path of everyScreen) {
          await page.goto(prefix + path);
          await (prefix === "" ? accessible : fits)(page, prefix + path);
        }
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});

test("every screen shows the keyboard focus, and nothing animates with reduced motion", async () => {
  const { page, complaints, close } = await visit(browser, site, { viewport: laptop });
  const faultsByPath: Record<string, string[]> = {};
  for (const path of screens.filter((path) => !similarLists.includes(path))) {
    await page.goto(path);
    const faults = await tabThrough(page);
    if (faults.length) faultsByPath[path] = faults;
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== "running"),
    );
  }
  assert.deepEqual(faultsByPath, {});
  assert.deepEqual(complaints, []);
  await close();
});

test("a picture does not cover the focus that lies inside it", async () => {
  const { page, close } = await visit(browser, site, phone);
  await page.goto("/models/101/benedita-nascimento");
  for (const name of [".gallery-picture", ".similar a"]) {
    const link = page.locator(name).first();
    const picture = link.locator("img");
    await picture.evaluate((img: HTMLImageElement) => {
      img.scrollIntoView({ block: "center" });
      return img.decode();
    });
    const without = PNG.sync.read(await picture.screenshot());
    await link.evaluate((element) => element.focus({ preventScroll: true })); // counts as by keyboard
    const { data } = PNG.sync.read(await picture.screenshot());
    const ring = pixelmatch(without.data, data, undefined, without.width, without.height);
    assert.ok(ring > without.width, `${name}: ${ring} pixels`);
  }
  await close();
});

test("at 400 % zoom nothing scrolls sideways, and bars neither fill the screen nor hide the focus", async () => {
  const { page, close } = await visit(browser, site, { viewport: zoomed });
  const faultsByPath: Record<string, unknown> = {};
  for (const path of screens) {
    await page.goto(path);
    await fits(page, path);
    const share = await page.evaluate(barShare);
    if (share > 0.5) faultsByPath[path] = share;
  }
  for (const path of withBars) {
    await page.goto(path);
    const faults = await tabThrough(page);
    if (faults.length) faultsByPath[path] = faults;
  }
  assert.deepEqual(faultsByPath, {});
  await close();
});

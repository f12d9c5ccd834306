// Longer texts, as translators may write them, fit every screen.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "./browser";
import { desk, languages, phone, prefixes, startSite, visit, type Site } from "./site";

let folder: string;
let site: Site;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "zedcard-copy-"));
  mkdirSync(join(folder, "i18n"));
  for (const lang of languages) {
    const texts = JSON.parse(readFileSync(`i18n/${lang}.json`, "utf8")) as Record<string, string>;
    const longTexts = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, longerBy40(text)]));
    writeFileSync(join(folder, `i18n/${lang}.json`), JSON.stringify(lang === "en" ? texts : longTexts));
  }
  cpSync("static/dist", join(folder, "static/dist"), { recursive: true });
  site = await startSite({ DEV: "true" }, { cwd: folder });
});
after(async () => {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** longerBy40 makes every word of a text 40 % longer by repeating its letters; placeholders stay. */
function longerBy40(text: string): string {
  return text.replace(/\{\w+\}|\p{L}+/gu, (word) => {
    if (word.startsWith("{")) return word;
    return word + word.slice(-Math.round(word.length * 0.4) || word.length).toLowerCase();
  });
}

/**
 * findCutTexts lists what a visitor can't read on the page: texts outside the screen or the box that clips them,
 * columns too narrow to read, and a page that scrolls sideways.
 */
const findCutTexts = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) found.push(`the page is ${overflow} px too wide`);
    for (const prose of document.querySelectorAll(".prose > p, h1 + p:not([role])"))
      if (prose.getBoundingClientRect().width < 240) found.push("a text in a column too narrow to read");
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement!;
      if (
        !node.textContent?.trim() ||
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      // The numbers of a line-up's scale have no room on a phone, and are cut on purpose: each person has their height.
      if (element.closest(".sr-only, [href='#main'], option, script, [hidden], svg[aria-hidden]")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width < 2) continue;
      let [left, right, top, bottom] = [0, innerWidth, -Infinity, Infinity];
      for (
        let ancestor: Element | null = element;
        ancestor && ancestor !== document.body;
        ancestor = ancestor.parentElement
      ) {
        const { overflowX, overflowY, clip, clipPath, position } = getComputedStyle(ancestor);
        if (clip !== "auto" || clipPath !== "none" || overflowX === "auto" || overflowX === "scroll") {
          [left, right] = [-Infinity, Infinity]; // invisible, or the visitor can scroll
          [top, bottom] = [-Infinity, Infinity];
          break;
        }
        const limits = ancestor.getBoundingClientRect();
        if (overflowX !== "visible")
          [left, right] = [Math.max(left, limits.left), Math.min(right, limits.right)];
        if (overflowY !== "visible")
          [top, bottom] = [Math.max(top, limits.top), Math.min(bottom, limits.bottom)];
        if (ancestor.matches("button, a.border"))
          [left, right] = [Math.max(left, limits.left), Math.min(right, limits.right)];
        if (ancestor.matches("button, a.border"))
          [top, bottom] = [Math.max(top, limits.top), Math.min(bottom, limits.bottom)];
        if (position === "fixed") break;
      }
      if (box.left < left - 1 || box.right > right + 1 || box.top < top - 3 || box.bottom > bottom + 3)
        found.push(`cut: ${element.className || element.tagName}: ${node.textContent.trim().slice(0, 60)}`);
    }
    return found;
  });

const screens = [
  "",
  "/models",
  "/models/women?subcategory=curve",
  "/creative",
  "/models?letter=Q",
  "/models/101",
  "/models/101?gallery=snap",
  "/about",
  "/privacy",
  "/safety",
  "/future-face",
  "/contact",
  "/become-a-model",
  "/blog",
  "/blog/editorial",
  "/favorites",
  "/favorites?ids=101,102",
  "/favorites/compare?ids=101,102,103",
  "/models/0/0",
];
const narrow = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

describe("with texts 40 % longer", () => {
  // Each language on the narrowest screen and on one wider screen.
  const [firstPrefix, secondPrefix] = prefixes.slice(1) as [string, string];
  for (const [prefix, wider] of [
    [firstPrefix, phone],
    [secondPrefix, desk],
  ] as const)
    test(`no text is cut off in ${prefix}`, async () => {
      const { page, complaints, close } = await visit(browser, site, narrow);
      const found: Record<string, string[]> = {};
      const check = async (label: string) => {
        // On touch screens, measures open by a toggle.
        await page
          .locator("[data-talent] label input")
          .evaluateAll((toggles) =>
            toggles.forEach((toggle) => ((toggle as HTMLInputElement).checked = true)),
          );
        for (const { viewport } of [wider, narrow]) {
          await page.setViewportSize(viewport!);
          const cutTexts = await findCutTexts(page);
          if (cutTexts.length) found[`${label} at ${viewport!.width} px`] = [...new Set(cutTexts)];
        }
      };
      for (const path of screens) {
        await page.goto(prefix + path);
        await check(prefix + path);
      }
      await page.goto(prefix + "/contact");
      await page.locator("header [data-menu=open]").click();
      await page.locator("#menu[open]").waitFor();
      await check(prefix + " menu");
      for (const form of ["/contact", "/become-a-model"]) {
        await page.goto(prefix + form);
        await page.locator("main form").evaluate((form: HTMLFormElement) => {
          form.noValidate = true;
          HTMLFormElement.prototype.submit.call(form);
        });
        await page.locator("#errors").waitFor();
        await check(prefix + form + " with errors");
      }
      assert.deepEqual(found, {});
      assert.deepEqual(complaints, []);
      await close();
    });
});

// Screenshots of every screen, to compare before and after a change of styles:
//
//   make pictures OUT=.cache/before                         takes them (of another build: BINARY=…)
//   make pictures OUT=.cache/after AGAINST=.cache/before    takes them and compares, pixel by pixel
//
// SCREENS, WIDTHS and LANGS select pictures: SCREENS="models blog" WIDTHS=390. STRIP=1 takes film strips instead: the
// application being sent on a slow network, with and without JavaScript. The content is the demo's, every photograph is
// the same file, and animations and the clock are stopped: two runs of one build give the same pixels. The comparison
// is written to OUT/summary.md, with a picture of the differences for each changed screen.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import type { Browser, Page } from "playwright-core";
import { applicant, button, choosePhotos, fill } from "../e2e/forms";
import { phone, startBrowser, startSite, type Site } from "../e2e/site";

/** Screen is a screen to take a picture of, without JavaScript unless script is set. */
interface Screen {
  path: string;
  script?: boolean;
  print?: boolean;
  english?: boolean; // it exists in English only
  prepare?: (page: Page) => Promise<unknown>;
}

const token = "pictures";
const shortlist = "ids=101,106,118,120,128";

const screens: Record<string, Screen> = {
  home: { path: "/" },
  menu: { path: "/about#menu" },
  models: { path: "/models" },
  "models-more": { path: "/models?show=40" },
  "models-letter": { path: "/models?letter=A" },
  women: { path: "/models/women" },
  finder: { path: "/models/women?height_from=170&hair=brown" },
  empty: { path: "/models/women?category=fluid&letter=B&q=zzz" },
  creative: { path: "/creative" },
  sheet: { path: "/models?view=sheet" },
  names: { path: "/models?view=names" },
  guardian: { path: "/guardian" },
  "guardian-fields": {
    path: "/be-a-model",
    script: true,
    prepare: async (page) => {
      await waitForIsland(page);
      await fill(page, { birthdate: "30/04/2020", gender: "man" });
    },
  },
  photos: {
    path: "/be-a-model",
    script: true,
    prepare: async (page) => {
      await waitForIsland(page);
      await choosePhotos(page);
      await page.waitForTimeout(1000); // the previews and their advice
    },
  },
  dock: {
    path: "/models",
    script: true,
    prepare: async (page) => {
      for (const heart of [0, 1]) await page.locator("[data-talent] [aria-pressed]").nth(heart).click();
      await page.locator("#dock aside").getByText("2").first().waitFor();
    },
  },
  videos: {
    path: "/models/106/elodie-carpentier?gallery=video",
    script: true,
    prepare: async (page) => {
      await page.locator("[data-gallery=video] li a").first().hover();
      await page.locator("[data-island=videos][data-mounted]").waitFor();
    },
  },
  "card-hover": { path: "/models", prepare: (page) => page.locator("[data-talent]").first().hover() },
  "card-focus": { path: "/models", prepare: (page) => page.locator("[data-talent] h2 a").first().focus() },
  "filter-focus": { path: "/models", prepare: (page) => page.locator("[data-filter]").nth(1).focus() },
  busy: {
    path: "/models/women",
    prepare: (page) =>
      page.evaluate(() => {
        document.documentElement.dataset.busy = "list";
        document.querySelector("#board")?.setAttribute("aria-busy", "true");
      }),
  },
  profile: { path: "/models/101/benedita-nascimento" },
  "profile-snap": { path: "/models/101/benedita-nascimento?gallery=snap" },
  "profile-video": { path: "/models/106/elodie-carpentier?gallery=video" },
  "profile-long": { path: "/models/118/maria-fernanda-cavalcanti-de-albuquerque-montenegro" },
  "profile-creative": { path: "/creative/139/paolo-santacroce" },
  "profile-print": { path: "/models/101/benedita-nascimento", print: true },
  slider: { path: "/models/101/benedita-nascimento", script: true, prepare: hoverGallery },
  lightbox: {
    path: "/models/101/benedita-nascimento",
    script: true,
    prepare: async (page) => {
      await page.locator("[data-gallery] a").first().click();
      await page.getByRole("dialog").waitFor();
      await page.waitForTimeout(400); // the library draws its slide after the dialog
    },
  },
  "future-face": { path: "/future-face" },
  about: { path: "/about" },
  privacy: { path: "/privacy" },
  safety: { path: "/safety" },
  blog: { path: "/blog" },
  post: { path: "/blog/news/a-primeira-temporada-de-adaeze" },
  contact: { path: "/contact" },
  "contact-enquiry": { path: "/contact?" + shortlist },
  "contact-errors": { path: "/contact", prepare: sendForm },
  apply: { path: "/be-a-model" },
  "apply-errors": { path: "/be-a-model", prepare: sendForm },
  "apply-script": { path: "/be-a-model", script: true, prepare: waitForIsland },
  "contact-sending": {
    path: "/contact",
    script: true,
    prepare: async (page) => {
      await waitForIsland(page);
      await page
        .locator("button[data-state]")
        .evaluate((button: HTMLElement) => (button.dataset.state = "sending"));
    },
  },
  "favorites-empty": { path: "/favorites", prepare: (page) => page.waitForTimeout(500) },
  "favorites-shared": { path: "/favorites?" + shortlist },
  favorites: {
    path: "/models",
    prepare: async (page) => {
      for (const heart of [0, 1]) await page.locator("[form=hearts]").nth(heart).click();
      await page.locator("[data-island=favorites]").click();
    },
  },
  compare: { path: "/favorites/compare?" + shortlist },
  "compare-print": { path: "/favorites/compare?" + shortlist, print: true },
  "not-found": { path: "/nobody/nowhere/at-all" },
  copy: { path: `/_copy?screen=about&token=${token}`, english: true },
  "copy-keys": { path: `/about?copy=keys&token=${token}` },
  loading: { path: "/about", prepare: (page) => unhide(page, "#loading") },
  toast: { path: "/about", prepare: (page) => unhide(page, "#failed") },
};

async function hoverGallery(page: Page): Promise<void> {
  await page.locator("[data-gallery]").dispatchEvent("pointerover");
  await page.waitForTimeout(600); // a strip waits for the end of scrolling
}

async function waitForIsland(page: Page): Promise<void> {
  await page.locator("[data-island=form][data-mounted]").waitFor();
}

/** sendForm posts an incomplete form, which is returned with errors. */
async function sendForm(page: Page): Promise<void> {
  await page.locator("main form button[type=submit]").click();
  await page.locator("#errors").waitFor();
}

async function unhide(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluate((element) => element.removeAttribute("hidden"));
}

const photograph = "internal/folder/demo/talents/006-benedita-nascimento/book-1.jpg";

async function takePicture(
  browser: Browser,
  site: Site,
  file: string,
  screen: Screen,
  lang: string,
  width: number,
) {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 844 : 900 },
    hasTouch: width < 1024,
    reducedMotion: "reduce",
    javaScriptEnabled: Boolean(screen.script),
  });
  const page = await context.newPage();
  await page.route("**/media/**", (route) => route.fulfill({ path: photograph, contentType: "image/jpeg" }));
  await page.goto(site.url + (lang === "en" ? "" : "/" + lang) + screen.path);
  if (screen.print) await page.emulateMedia({ media: "print", reducedMotion: "reduce" });
  await screen.prepare?.(page);
  await page.evaluate(async () => {
    for (const img of document.images) {
      img.loading = "eager";
      img.decoding = "sync"; // else a picture may be painted after its page
    }
    await Promise.all([
      document.fonts.ready,
      ...[...document.images].map((img) => img.decode().catch(() => undefined)),
    ]);
  });
  await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
  await context.close();
}

const frames = 5;
// ms and bytes/s
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 60_000 };

/** film takes five pictures from the completed application to its receipt, and joins them side by side. */
async function film(browser: Browser, site: Site, file: string, script: boolean): Promise<void> {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: script });
  const page = await context.newPage();
  await page.goto(site.url + "/be-a-model");
  await fill(page, applicant);
  await choosePhotos(page);
  await page.locator("form [name=privacy]").check();
  await button(page).scrollIntoViewIfNeeded();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", slowNetwork);
  const capture = async () =>
    PNG.sync.read(
      Buffer.from((await devtools.send("Page.captureScreenshot", { format: "png" })).data, "base64"),
    );
  const captures = [await capture()];
  let done = false;
  const sent = page.locator("[data-receipt]").waitFor({ timeout: 120_000 });
  void sent.then(() => (done = true)).catch(() => undefined);
  await button(page).click({ noWaitAfter: true });
  while (!done) {
    await capture().then(
      (picture) => captures.push(picture),
      () => undefined,
    ); // it fails between two documents
    await page.waitForTimeout(250);
  }
  await sent;
  await page.evaluate(() => document.fonts.ready);
  captures.push(await capture());
  const [{ width, height }, gap] = [captures[0]!, 24];
  const strip = new PNG({ width: frames * (width + gap) - gap, height });
  for (let i = 0; i < frames; i++) {
    const at = Math.round((i * (captures.length - 1)) / (frames - 1));
    PNG.bitblt(captures[at]!, strip, 0, 0, width, height, i * (width + gap), 0);
  }
  writeFileSync(file, PNG.sync.write(strip));
  await context.close();
}

async function filmAll(out: string, binary: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const [site, browser] = await Promise.all([startSite({}, { binary }), startBrowser()]);
  try {
    await film(browser, site, join(out, "strip-script.png"), true);
    await film(browser, site, join(out, "strip-no-script.png"), false);
  } finally {
    await browser.close();
    await site.stop();
  }
}

interface Options {
  out: string;
  binary: string;
  screens: string[];
  widths: number[];
  langs: string[];
}

async function takeAll({ out, binary, screens: names, widths, langs }: Options): Promise<void> {
  mkdirSync(out, { recursive: true });
  const [site, browser] = await Promise.all([
    startSite({ PREVIEW_TOKEN: token }, { binary }),
    startBrowser(),
  ]);
  try {
    for (const name of names)
      for (const width of widths)
        for (const lang of langs) {
          if (screens[name]!.english && lang !== "en") continue;
          const file = join(out, `${name}-${width}-${lang}.png`);
          await takePicture(browser, site, file, screens[name]!, lang, width).catch((error: Error) => {
            throw new Error(`${file}: ${error.message}`);
          });
        }
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** padded enlarges the canvas of a picture to this size, so that pictures of different heights can be compared. */
function padded(png: PNG, width: number, height: number): PNG {
  if (png.width === width && png.height === height) return png;
  const canvas = new PNG({ width, height });
  PNG.bitblt(png, canvas, 0, 0, png.width, png.height, 0, 0);
  return canvas;
}

/** compare writes a picture of the differences and returns a summary of one line; undefined if there are none. */
function compare(name: string, before: string, after: string): string | undefined {
  if (!existsSync(join(before, name))) return "new";
  const [oldPicture, newPicture] = [before, after].map((folder) =>
    PNG.sync.read(readFileSync(join(folder, name))),
  );
  const [width, height] = [
    Math.max(oldPicture!.width, newPicture!.width),
    Math.max(oldPicture!.height, newPicture!.height),
  ];
  const difference = new PNG({ width, height });
  const pixels = pixelmatch(
    padded(oldPicture!, width, height).data,
    padded(newPicture!, width, height).data,
    difference.data,
    width,
    height,
    { threshold: 0.05 },
  );
  if (pixels === 0) return undefined;
  mkdirSync(join(after, "difference"), { recursive: true });
  writeFileSync(join(after, "difference", name), PNG.sync.write(difference));
  const taller = newPicture!.height - oldPicture!.height;
  return `${pixels} pixels` + (taller ? `, ${taller > 0 ? "+" : ""}${taller} px in height` : "");
}

function summary({ out, screens: names, widths, langs }: Options, against: string): string {
  const pictures = readdirSync(out).filter((file) => {
    const [, name, width, lang] = /^(.+)-(\d+)-(\w+)\.png$/.exec(file) ?? [];
    return name && names.includes(name) && widths.includes(Number(width)) && langs.includes(lang!);
  });
  const lines = pictures.flatMap((name) => {
    const difference = compare(name, against, out);
    return difference ? [`| ${name} | ${difference} |`] : [];
  });
  const all = `${pictures.length} pictures, ${lines.length} differ from ${against}`;
  return [all, ...(lines.length ? ["", "| picture | difference |", "|---|---|", ...lines] : []), ""].join(
    "\n",
  );
}

const { values } = parseArgs({
  options: {
    out: { type: "string", default: ".cache/pictures" },
    against: { type: "string" },
    binary: { type: "string", default: "bin/zedcard" },
    screens: { type: "string", default: Object.keys(screens).join(" ") },
    widths: { type: "string", default: "390 820 1440" },
    langs: { type: "string", default: "en pt es" },
    strip: { type: "boolean", default: false },
  },
});
const options: Options = {
  out: values.out,
  binary: values.binary,
  screens: values.screens.split(" "),
  widths: values.widths.split(" ").map(Number),
  langs: values.langs.split(" "),
};
const unknown = options.screens.filter((name) => !(name in screens));
if (unknown.length)
  throw new Error(`no such screen: ${unknown.join(", ")}; there are ${Object.keys(screens).join(", ")}`);
await (values.strip ? filmAll(options.out, options.binary) : takeAll(options));
if (values.against && !values.strip) {
  const text = summary(options, values.against);
  writeFileSync(join(options.out, "summary.md"), text);
  console.log(text);
}

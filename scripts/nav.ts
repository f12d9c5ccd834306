// From a click to the next page, on slow lines: `make nav`. For each way to open a profile from a board it prints the
// medians of several visits: until the profile's heading stands there, and until its first picture is decoded. AGAINST
// is another build of the program, measured in turn with this one.
import type { Page } from "playwright-core";
import { startLine, type Line } from "./line";
import { desk, phone, startBrowser, startSite, visit, type Site } from "../e2e/site";

const rounds = Number(process.env.ROUNDS ?? 5);
const settleTime = 1500; // ms

const mobile: Line = { rtt: 150, rate: 1_600_000 / 8 };
const edge: Line = { rtt: 400, rate: 400_000 / 8 };

const chosen = 1; // the number of the card
const card = (page: Page, at: number) => page.locator("#board [data-talent] :is(h2, h3) a").nth(at);

/** A way to open the card of a number in the list. */
const ways: { name: string; line: Line; options: object; open: (page: Page, at: number) => Promise<void> }[] =
  [
    { name: "desk, click at once", line: mobile, options: desk, open: (page, at) => click(page, at, 0) },
    {
      name: "desk, click after 250 ms",
      line: mobile,
      options: desk,
      open: (page, at) => click(page, at, 250),
    },
    { name: "phone, tap of 100 ms", line: mobile, options: phone, open: tap },
    { name: "phone, tap, 400 kbit/s", line: edge, options: phone, open: tap },
  ];

async function click(page: Page, at: number, rest: number): Promise<void> {
  await card(page, at).hover();
  await page.waitForTimeout(rest);
  await page.mouse.down();
  await page.mouse.up();
}

async function tap(page: Page, at: number): Promise<void> {
  const { x, y, width } = (await card(page, at).boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  const point = { x: x + width / 2, y: y + 4 };
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await page.waitForTimeout(100);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

interface Shown {
  heading: number;
  picture: number;
}

/** warm opens the profile until its first picture is there as AVIF: the encoder is not what is measured. */
async function warm(site: Site, options: object): Promise<void> {
  const { page, close } = await visit(browser, site, options);
  await page.goto("/models/women");
  const profile = (await card(page, chosen).getAttribute("href"))!;
  await page.goto(profile, { waitUntil: "networkidle" });
  const picture = await page
    .locator("[data-gallery] img")
    .first()
    .evaluate((img: HTMLImageElement) => img.currentSrc);
  for (let type = ""; type !== "image/avif"; await page.waitForTimeout(settleTime))
    type = (await page.request.get(picture)).headers()["content-type"] ?? "";
  await close();
}

/** measure opens a profile and returns the times since the click, in ms. */
async function measure(site: Site, { line, options, open }: (typeof ways)[number]): Promise<Shown> {
  const behind = await startLine(site.url, line);
  const { page, close } = await visit(browser, { ...site, url: behind.url }, options);
  await page.addInitScript(() => {
    const shown: { since?: number; heading?: number; picture?: number } = {};
    Object.assign(globalThis, { shown });
    document.addEventListener("click", (event) => event.isTrusted && (shown.since = event.timeStamp), true);
    setInterval(() => {
      const profile = document.querySelector("main > article[data-talent]");
      const picture = profile?.querySelector("img");
      if (!shown.since || !profile) return;
      shown.heading ??= performance.now() - shown.since;
      if (picture?.complete && picture.naturalWidth) shown.picture ??= performance.now() - shown.since;
    }, 4);
  });
  await page.goto("/models/women");
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(settleTime);
  await card(page, chosen).scrollIntoViewIfNeeded();
  await page.waitForTimeout(settleTime); // the pictures that came into view
  await open(page, chosen);
  const result = await page.waitForFunction(() => {
    const { shown } = globalThis as unknown as { shown: Partial<Shown> };
    return shown.picture ? shown : undefined;
  });
  const shown = (await result.jsonValue()) as Shown;
  await close();
  behind.stop();
  return shown;
}

const median = (values: number[]) => Math.round(values.sort((a, b) => a - b)[values.length >> 1]!);

const browser = await startBrowser();
const binaries = [process.env.AGAINST ?? "", process.env.ZEDCARD ?? "bin/zedcard"].filter(Boolean);
const sites = await Promise.all(binaries.map((binary) => startSite({ MEDIA_AVIF: "true" }, { binary })));
for (const site of sites) for (const options of [desk, phone]) await warm(site, options);
for (const way of ways) {
  const times = sites.map(() => [] as Shown[]);
  for (let round = 0; round < rounds; round++)
    for (const [i, site] of sites.entries()) times[i]!.push(await measure(site, way));
  const columns = times.map((all) => {
    const [heading, picture] = [median(all.map((t) => t.heading)), median(all.map((t) => t.picture))];
    return `heading ${String(heading).padStart(5)} ms, picture ${String(picture).padStart(5)} ms`;
  });
  console.log(`${way.name.padEnd(26)} ${columns.join("   →   ")}`);
}
await browser.close();
for (const site of sites) await site.stop();

// Interaction to next paint on a processor six times slower: `make inp`. For each press it measures the slowest event,
// from the input to the next frame on the screen, as the median of several visits. The first line is a bare button, as
// the baseline of the machine.
import type { Locator, Page } from "playwright-core";
import { startBrowser, startSite } from "./site";

const slower = 6;
const rounds = 5;
const phone = { width: 390, height: 844 };
const settled = 1500; // ms

const browser = await startBrowser();
const site = await startSite();

interface Measured {
  press: (what: Locator) => Promise<void>;
  page: Page;
}

async function visit(
  path: string,
  prepare: (page: Page) => Promise<void>,
  act: (_: Measured) => Promise<void>,
) {
  const context = await browser.newContext({ viewport: phone, baseURL: site.url });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const worst = new Map<number, number>();
    Object.assign(globalThis, { worst });
    const observer = new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as (PerformanceEntry & {
        interactionId: number;
      })[])
        if (interactionId) worst.set(interactionId, Math.max(duration, worst.get(interactionId) ?? 0));
    });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  await prepare(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await page.evaluate("worst.clear()");
  // A finger rests on what it presses, and takes a tenth of a second.
  const press = async (what: Locator) => {
    await what.hover();
    await page.waitForTimeout(500);
    await page.mouse.down();
    await page.waitForTimeout(100);
    await page.mouse.up();
    await page.waitForTimeout(settled);
  };
  await act({ press, page });
  await page.waitForTimeout(settled);
  const worst = await page.evaluate<number>("Math.max(0, ...worst.values())");
  await context.close();
  return worst;
}

async function measure(name: string, ...walk: Parameters<typeof visit>): Promise<void> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await visit(...walk));
  found.sort((a, b) => a - b);
  console.log(`${name.padEnd(28)} median ${found[rounds >> 1]} ms, of ${found.join(", ")}`);
}

const nothing = async () => {};
const bare = (page: Page) => page.setContent("<button>A bare button</button>");
const heart = (page: Page) => page.locator("[data-talent] [aria-pressed]").first();
const profile = async (page: Page) => {
  await page.locator("[data-talent] h2 a").first().click();
  await page.waitForURL(/models\/\d+/);
  await page.waitForTimeout(settled);
};

await measure("bare button", "/robots.txt", bare, ({ press, page }) => press(page.locator("button")));
await measure("heart", "/models/women", nothing, ({ press, page }) => press(heart(page)));
await measure("menu", "/models", nothing, ({ press, page }) => press(page.locator("[data-menu=open]")));
await measure("filter", "/models", nothing, ({ press, page }) =>
  press(page.locator('[data-filter="gender:man"]')),
);
await measure("card to profile", "/models/women", nothing, ({ press, page }) =>
  press(page.locator("[data-talent] h2 a").first()),
);
await measure("picture to lightbox", "/models/women", profile, ({ press, page }) =>
  press(page.locator("[data-gallery] a").first()),
);
await measure("typing in the application", "/be-a-model", nothing, async ({ press, page }) => {
  await press(page.locator("[name=realname]"));
  await page.keyboard.type("Ana Maria", { delay: 100 });
});

await browser.close();
await site.stop();

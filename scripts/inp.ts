// Interaction to next paint (INP) on a processor six times slower: `make inp`. For each interaction it prints the
// median of several visits of the slowest event, from the input to the next frame. The first line is a bare button, the
// baseline of the machine.
import type { Locator, Page } from "playwright-core";
import { startBrowser, startSite } from "../e2e/site";

const slowdown = 6;
const rounds = 5;
const phone = { width: 390, height: 844 };
const settleTime = 1500; // ms

const browser = await startBrowser();
const site = await startSite();

interface Interaction {
  press: (target: Locator) => Promise<void>;
  page: Page;
}

async function visit(
  path: string,
  prepare: (page: Page) => Promise<void>,
  act: (_: Interaction) => Promise<void>,
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
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.evaluate("worst.clear()");
  // A finger rests on its target and presses it for 100 ms.
  const press = async (target: Locator) => {
    await target.hover();
    await page.waitForTimeout(500);
    await page.mouse.down();
    await page.waitForTimeout(100);
    await page.mouse.up();
    await page.waitForTimeout(settleTime);
  };
  await act({ press, page });
  await page.waitForTimeout(settleTime);
  const worst = await page.evaluate<number>("Math.max(0, ...worst.values())");
  await context.close();
  return worst;
}

async function measure(name: string, ...visitArguments: Parameters<typeof visit>): Promise<void> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) durations.push(await visit(...visitArguments));
  durations.sort((a, b) => a - b);
  console.log(`${name.padEnd(28)} median ${durations[rounds >> 1]} ms, of ${durations.join(", ")}`);
}

const noPreparation = async () => {};
const bareButton = (page: Page) => page.setContent("<button>A bare button</button>");
const heart = (page: Page) => page.locator("[data-talent] [aria-pressed]").first();
const profile = async (page: Page) => {
  await page.locator("[data-talent] h2 a").first().click();
  await page.waitForURL(/models\/\d+/);
  await page.waitForTimeout(settleTime);
};

await measure("bare button", "/robots.txt", bareButton, ({ press, page }) => press(page.locator("button")));
await measure("heart", "/models/women", noPreparation, ({ press, page }) => press(heart(page)));
await measure("menu", "/models", noPreparation, ({ press, page }) => press(page.locator("[data-menu=open]")));
await measure("filter", "/models", noPreparation, ({ press, page }) =>
  press(page.locator('[data-filter="gender:man"]')),
);
await measure("card to profile", "/models/women", noPreparation, ({ press, page }) =>
  press(page.locator("[data-talent] h2 a").first()),
);
await measure("picture to lightbox", "/models/women", profile, ({ press, page }) =>
  press(page.locator("[data-gallery] a").first()),
);
await measure("typing in the application", "/be-a-model", noPreparation, async ({ press, page }) => {
  await press(page.locator("[name=realname]"));
  await page.keyboard.type("Ana Maria", { delay: 100 });
});

await browser.close();
await site.stop();

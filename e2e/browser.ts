// Chromium, one process for all tests of a run.
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { startBrowser } from "./site";

export let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

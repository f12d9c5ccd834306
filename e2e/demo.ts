// The demo's site, for all tests that only read. A test that writes or has settings of its own starts its own site.
import { after, before } from "node:test";
import { startSite, type Site } from "./site";

export { browser } from "./browser";
export let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

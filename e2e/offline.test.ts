// Without a connection: visited profiles and favourites work, everything else is the offline page, and forms are never
// cached.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { phone, startBrowser, startSite, visit, type Site } from "./site";

let site: Site;
let browser: Browser;
before(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});
after(async () => {
  await browser.close();
  await site.stop();
});

const profile = "/models/101/benedita-nascimento";
const visitor = async () => {
  const opened = await visit(browser, site, { ...phone, serviceWorkers: "allow" });
  const offline = (value: boolean) => opened.page.context().setOffline(value);
  return { ...opened, offline };
};
const waitUntilCached = (page: Page, path: string) =>
  page.waitForFunction(
    async (address) => (await caches.match(address, { ignoreVary: true })) !== undefined,
    path,
  );
const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
    return (await Promise.all(caching)).flat().map(({ url }) => new URL(url).pathname);
  });
const waitForWorker = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
const heading = (page: Page) => page.locator("h1").textContent();

test("a visited profile works offline, with its styles, fonts, scripts and loaded pictures", async () => {
  const { page, complaints, offline, close } = await visitor();
  await page.goto(profile, { waitUntil: "load" });
  await waitForWorker(page);
  await waitUntilCached(page, profile);
  const picture = await page
    .locator("[data-gallery] img")
    .first()
    .evaluate((image: HTMLImageElement) => image.currentSrc);
  await page.waitForFunction(async (address) => (await caches.match(address)) !== undefined, picture);
  const failedRequests: string[] = [];
  page.on("requestfailed", (request) => failedRequests.push(request.url()));
  await offline(true);
  await page.reload();
  assert.equal(await heading(page), "Benedita Nascimento");
  await page.waitForFunction((address) => {
    const shown = [...document.images].find(({ currentSrc }) => currentSrc === address);
    return shown?.complete && shown.naturalWidth > 0;
  }, picture);
  assert.ok(await page.evaluate(() => document.fonts.check("20px 'Newsreader Text'")));
  // Pictures below the screen had not been loaded; everything else had.
  assert.deepEqual(
    failedRequests.filter((address) => !address.includes("/media/")),
    [],
  );
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith("Failed to load")),
    [],
  );
  await close();
});

test("a page that was not visited is the offline page in its language", async () => {
  const { page, offline, close } = await visitor();
  await page.goto("/about");
  await waitForWorker(page);
  await waitUntilCached(page, "/pt/offline");
  await offline(true);
  for (const [path, title, lang] of [
    ["/models", "Offline", "en"],
    ["/pt/sobre-nos", "Sem conexão", "pt"],
    ["/es/models/101/benedita-nascimento", "Sin conexión", "es"],
  ] as const) {
    await page.goto(path);
    assert.equal(await heading(page), title);
    assert.equal(await page.locator("html").getAttribute("lang"), lang);
    assert.equal(new URL(page.url()).pathname, path, "the address stays, for a reload");
  }
  await offline(false);
  // The worker may learn later than the page that there is a connection again.
  await page.waitForFunction(() =>
    fetch("/about", { headers: { "HX-Request": "true" } }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await Promise.all([page.waitForEvent("load"), page.locator("main h1 + div a").first().click()]);
  assert.equal(await heading(page), "Benedita Nascimento");
  await close();
});

test("forms are never cached: they are the offline page", async () => {
  const { page, offline, close } = await visitor();
  await page.goto("/about");
  await waitForWorker(page);
  for (const form of ["/contact", "/be-a-model"]) {
    await page.goto(form);
    await page.locator("main form").first().waitFor();
  }
  await waitUntilCached(page, "/offline");
  await offline(true);
  for (const form of ["/contact", "/be-a-model"]) {
    await page.goto(form);
    assert.equal(await heading(page), "Offline");
    assert.equal(await page.locator("main form").count(), 0);
  }
  assert.deepEqual(
    (await cachedPaths(page)).filter((path) => /contact|be-a-model/.test(path)),
    [],
  );
  await close();
});

test("pages and pictures of minors are not cached", async () => {
  const child = "/models/128/lia-sampaio";
  const { page, offline, close } = await visitor();
  await page.goto("/about");
  await waitForWorker(page);
  await page.goto(child, { waitUntil: "load" });
  assert.equal(await heading(page), "Lia Sampaio");
  await page.goto(profile, { waitUntil: "load" });
  await waitUntilCached(page, profile);
  const cached = await cachedPaths(page);
  assert.ok(cached.some((path) => path.startsWith("/media/")));
  assert.deepEqual(
    cached.filter((path) => path.includes("lia-sampaio") || /^\/media\/n[\w-]{12}\//.test(path)),
    [],
  );
  await offline(true);
  await page.goto(child);
  assert.equal(await heading(page), "Offline");
  await close();
});

test("a cached profile that is gone, or must not be stored any more, is removed", async () => {
  const { page, close } = await visitor();
  await page.goto("/about");
  await waitForWorker(page);
  const profiles = ["/models/999999/nobody", "/models/128/lia-sampaio"];
  const cached = [...profiles, "/pt/models/999999/nobody?gallery=snap", profile];
  await page.evaluate(async (paths) => {
    const name = (await caches.keys()).find((key) => key.endsWith("-files"))!.replace(/files$/, "pages");
    const cache = await caches.open(name);
    for (const path of paths) await cache.put(path, new Response("old"));
  }, cached);
  for (const path of profiles) await page.goto(path);
  await page.waitForFunction(
    async (path) => (await Promise.all(path.map((each) => caches.match(each)))).every((found) => !found),
    cached.slice(0, 3),
  );
  assert.ok((await cachedPaths(page)).includes(profile), "other profiles stay");
  await close();
});

test("links and favourites work offline, without the cached enquiry form", async () => {
  const { page, offline, close } = await visitor();
  await page.goto(profile);
  await waitForWorker(page);
  await waitUntilCached(page, profile);
  await page.locator("main [aria-pressed]").first().click();
  await page.locator("main [aria-pressed=true]").first().waitFor();
  await page.goto("/favorites");
  await page.locator('[data-talent="101"]').waitFor();
  await waitUntilCached(page, "/favorites?own=1&ids=101");
  await page.locator("#enquiry").scrollIntoViewIfNeeded();
  await page.locator("#contact-form").waitFor();
  await offline(true);
  await page.reload();
  await page.locator("#enquiry").getByRole("link", { name: "Write to the bookers" }).waitFor();
  assert.equal(await page.locator("#contact-form").count(), 0, "the form is not cached");
  await page.locator('[data-talent="101"] h2 a').click();
  await page.waitForURL("**" + profile);
  await page.getByRole("heading", { level: 1, name: "Benedita Nascimento" }).waitFor();
  await page.locator("footer").getByRole("link", { name: "Privacy" }).click();
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Offline");
  await close();
});

test("going offline and online is announced without a layout shift", async () => {
  const { page, complaints, offline, close } = await visitor();
  await page.goto("/pt/sobre-nos");
  await waitForWorker(page);
  const status = page.locator("#connection");
  assert.ok(await status.isHidden());
  const before = await page.evaluate(() => document.documentElement.scrollHeight);
  await offline(true);
  await status
    .getByText("Você está sem conexão. Os perfis que você já abriu e os favoritos continuam disponíveis.")
    .waitFor();
  assert.equal(await status.getAttribute("role"), "status");
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), before);
  await offline(false);
  await status.getByText("Você está online de novo.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("caches of earlier versions are deleted", async () => {
  const { page, close } = await visitor();
  await page.goto("/about", { waitUntil: "commit" });
  await page.evaluate(async () => {
    await (await caches.open("zedcard-earlier-pages")).put("/about", new Response("old"));
    await caches.open("somebody-else");
  });
  await waitForWorker(page);
  await page.waitForFunction(async () => !(await caches.keys()).includes("zedcard-earlier-pages"));
  assert.ok((await page.evaluate(() => caches.keys())).includes("somebody-else"));
  await close();
});

test("the worker's script is revalidated, and its files are those of this build", async () => {
  const response = await fetch(site.url + "/sw.js");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("cache-control"), "no-cache");
  assert.match(response.headers.get("content-type") ?? "", /^text\/javascript/);
  const config = JSON.parse(/^const offline=(\{.*\});/.exec(await response.text())![1]!) as {
    files: string[];
  };
  for (const file of config.files) assert.equal((await fetch(site.url + file)).status, 200, file);
});

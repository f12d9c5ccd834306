// Whoever runs the agency reads in a browser what arrived, by the link of `zedcard inbox link`: on a phone and
// printed on one page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { applicant, sendApplication, sendMessage } from "./forms";
import { browser } from "./browser";
import { accessible, desk, phone, startSite, visit, type Site } from "./site";

const env = { SESSION_KEYS: "of-the-test-0123456789abcdefghij" };
let site: Site;
let link: string;

before(async () => {
  site = await startSite(env);
  const { page, close } = await visit(browser, site, { ...desk, javaScriptEnabled: false });
  await sendMessage(page);
  await sendApplication(page);
  await close();
  link = execFileSync(process.env.ZEDCARD ?? "bin/zedcard", ["inbox", "link"], {
    encoding: "utf8",
    env: {
      ...process.env,
      ...env,
      BASE_URL: site.url,
      DATA_DIR: site.folder,
      DATABASE_URL: `sqlite:${join(site.folder, "zedcard.db")}`,
    },
  }).trim();
});
after(async () => {
  await site.stop();
});

test("list and submission are accessible on a phone and on a desk, and a submission prints on one page", async () => {
  for (const options of [phone, desk]) {
    const { page, complaints, close } = await visit(browser, site, { ...options, bypassCSP: true });
    await page.goto(link);
    await accessible(page, "the list");
    await page.getByRole("link", { name: applicant.realname }).click();
    await page.waitForFunction(
      () =>
        document.images.length === 3 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0),
    );
    await accessible(page, "an application");
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)!.length, 1);
    assert.deepEqual(complaints, []);
    await close();
  }
});

// A submission that the visitor was told is sent arrives, even if the panel is down and the program is killed.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { applicant, asPersonWould, button, choosePhotos, fill, isState, message, photos } from "./forms";
import { startPanel } from "./panel";
import { desk, startBrowser, startSite, visit, type Site } from "./site";

test("an application and a message arrive once, though the panel was down and the program killed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "zedcard-outbox-"));
  const [panel, browser] = await Promise.all([startPanel(), startBrowser()]);
  const sites: Site[] = [];
  t.after(async () => {
    await Promise.all([browser.close(), panel.stop(), ...sites.map((site) => site.stop())]);
    rmSync(folder, { recursive: true });
  });
  panel.down = true;
  const env = { PANEL_URL: panel.url, INTEGRATION_URL: panel.url };
  const killed = await startSite(env, { folder });
  sites.push(killed);
  const { page, close } = await visit(browser, killed, { ...desk, javaScriptEnabled: false });
  await page.goto("/be-a-model");
  await fill(page, applicant);
  await choosePhotos(page);
  await page.locator("[name=privacy]").check();
  await asPersonWould(page);
  await button(page).click();
  await isState(page, "sent");
  await page.goto("/contact");
  await fill(page, message);
  await asPersonWould(page);
  await button(page).click();
  await isState(page, "sent");
  await close();
  await killed.stop("SIGKILL");
  assert.deepEqual(panel.received, []);
  const files = readdirSync(folder).filter((name) => name.startsWith("zedcard.db"));
  assert.ok(files.length > 0);
  for (const file of files)
    for (const words of [applicant.email, message.email])
      assert.ok(!readFileSync(join(folder, file)).includes(words), `${file} has ${words} in the clear`);

  panel.down = false;
  const next = await startSite(env, { folder });
  sites.push(next);
  const arrived = [await panel.next(), await panel.next()].sort((a, b) => b.path.localeCompare(a.path));
  assert.deepEqual(
    arrived.map(({ path }) => path),
    ["/api/entry/getScouted/send", "/api/entry/contact/send"],
  );
  assert.equal(arrived[0]!.files.length, Object.keys(photos).length);
  assert.deepEqual(arrived[1]!.fields, Object.entries(message));
  const told = async () => (await fetch(next.admin + "/metrics")).text();
  const delivered = 'zedcard_outbox_submissions{state="delivered"} 2';
  while (!(await told()).includes(delivered));
  assert.equal(panel.received.length, 2, "none came twice");
});

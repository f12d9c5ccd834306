// A submission that was confirmed to the visitor is delivered, even if the panel is down and the program is killed.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BackEnds } from "./backends";
import { applicant, message, photos, sendApplication, sendMessage } from "./forms";
import { browser } from "./browser";
import { desk, startSite, visit, type Site } from "./site";

test("submissions are delivered once after an outage of the panel and a kill of the program", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "zedcard-outbox-"));
  const panel = await BackEnds.start("demo");
  const sites: Site[] = [];
  t.after(async () => {
    await Promise.all([panel.stop(), ...sites.map((site) => site.stop())]);
    rmSync(folder, { recursive: true });
  });
  await panel.fail({ "POST /api/entry/": 503 });
  const killed = await startSite(panel.env, { folder });
  sites.push(killed);
  const { page, close } = await visit(browser, killed, { ...desk, javaScriptEnabled: false });
  await sendApplication(page);
  await sendMessage(page);
  await close();
  await killed.stop();
  assert.deepEqual(await panel.received(), []);
  const files = readdirSync(folder).filter((name) => name.startsWith("zedcard.db"));
  assert.ok(files.length > 0);
  for (const file of files)
    for (const secret of [applicant.email, message.email])
      assert.ok(!readFileSync(join(folder, file)).includes(secret), `${file} contains ${secret} unencrypted`);

  await panel.fail({});
  const restarted = await startSite(panel.env, { folder });
  sites.push(restarted);
  const submissions = [await panel.next(), await panel.next()].sort((a, b) => b.path.localeCompare(a.path));
  assert.deepEqual(
    submissions.map(({ path }) => path),
    ["/api/entry/getScouted/send", "/api/entry/contact/send"],
  );
  assert.equal(submissions[0]!.files.length, Object.keys(photos).length);
  assert.deepEqual(submissions[1]!.fields, Object.entries(message));
  const metrics = async () => (await fetch(restarted.admin + "/metrics")).text();
  const metric = 'zedcard_outbox_submissions{state="delivered"} 2';
  while (!(await metrics()).includes(metric));
  assert.equal((await panel.received()).length, 2, "no submission was delivered twice");
});

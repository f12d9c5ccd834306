// "Check a message" on the safety page, for people who have received a suspicious message.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser } from "./browser";
import { accessible, desk, fits, phone, startSite, visit, type Site } from "./site";

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

for (const [name, options] of Object.entries({
  "with JavaScript, desk": { ...desk, bypassCSP: true },
  "with JavaScript, phone": { ...phone, bypassCSP: true },
  "without JavaScript, phone": { ...phone, javaScriptEnabled: false },
}))
  test(`a sender is recognised as official, as foreign or as invalid, ${name}`, async () => {
    const { page, complaints, close } = await visit(browser, site, options);
    const check = async (path: string, sender: string, result: string) => {
      await page.goto(path);
      await page.locator("[name=sender]").fill(sender);
      await page.locator("[name=sender]").press("Enter");
      await page
        .locator("section", { has: page.locator("[name=sender]") })
        .getByText(result)
        .waitFor();
      assert.equal(new URL(page.url()).search, "", "the sender is not in the address");
      if ("javaScriptEnabled" in options) await fits(page, result);
      else await accessible(page, result);
    };
    await check("/safety", "(11) 91234-5678", "Ours: (11) 91234-5678");
    await check(
      "/safety",
      "best.scouting.lisbon.casting@mail-of-somebody-else.example",
      "Not ours: best.scouting",
    );
    await check("/pt/seguranca", "Bookings@best.example", "É nosso: Bookings@best.example");
    const cyrillic = "bookings@bеst.example";
    await check("/es/seguridad", cyrillic, `No es nuestro: ${cyrillic}`);
    await check("/es/seguridad", "", "Escribe una dirección de correo");
    assert.deepEqual(complaints, []);
    assert.ok(!site.logs().includes("91234") && !site.logs().includes("scouting"));
    await close();
  });

// Browsers older than those that docs/browsers.md promises: what they lack is taken away, and the version without a
// script takes over where it must.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applicant, button, fill, isState, message } from "./forms";
import { browser, site } from "./demo";
import { desk, phone, visit } from "./site";

test("without dialogs (iOS 15.3) the menu is a target, and a picture a link", async () => {
  const { page, close } = await visit(browser, site, phone);
  await page.addInitScript(() => delete (HTMLDialogElement.prototype as { showModal?: unknown }).showModal);
  await page.goto("/models/101/benedita-nascimento", { waitUntil: "networkidle" });
  const picture = page.locator("[data-gallery] li a").first();
  const file = (await picture.getAttribute("href"))!;
  await picture.click();
  await page.waitForURL((url) => url.pathname === new URL(file, site.url).pathname);
  await page.goBack();
  await page.locator("[data-menu=open]").click();
  await page.locator("#menu").getByRole("link", { name: "Kids" }).click();
  await page.waitForURL("**/models/kids");
  await close();
});

test("without requestSubmit, :has() and reflected ARIA (iOS 15, Firefox 118) forms are sent", async () => {
  const { page, complaints, close } = await visit(browser, site, desk);
  await page.addInitScript(`
    delete HTMLFormElement.prototype.requestSubmit;
    delete Element.prototype.ariaInvalid;
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
      const found = Element.prototype[name];
      Element.prototype[name] = function (selector) {
        if (selector.includes(":has(")) throw new SyntaxError(selector);
        return found.call(this, selector);
      };
    }`);
  await page.goto("/be-a-model");
  await page.locator("[data-island=form][data-mounted]").waitFor();
  await fill(page, { gender: "man" });
  assert.deepEqual(await page.locator("label[for=bust]").allInnerTexts(), ["Jacket"]);
  await fill(page, { gender: "woman", realname: applicant.realname });

  await page.goto("/contact");
  await page.locator("[data-island=form][data-mounted]").waitFor();
  await fill(page, { ...message, email: "julia" });
  await button(page).click();
  await page.locator("#errors").waitFor();
  await page.locator("[name=email]").fill(message.email);
  await page.locator("[name=email]").blur();
  await page.locator("[name=email][aria-invalid]").waitFor({ state: "detached" });
  await button(page).click();
  await isState(page, "sent");
  assert.deepEqual(complaints, []);
  await close();
});

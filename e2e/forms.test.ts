// Both forms with JavaScript, without it, and if the scripts fail to load.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { BackEnds } from "./backends";
import { applicant, button, choosePhotos, fill, isState, message, minor, photos, state } from "./forms";
import { browser } from "./browser";
import { accessible, desk, phone, startSite, visit, type Site } from "./site";

let panel: BackEnds;
let site: Site;
before(async () => {
  panel = await BackEnds.start("demo");
  site = await startSite(panel.env);
});
after(async () => {
  await site.stop();
  await panel.stop();
});

const ways: Record<string, BrowserContextOptions & { failing?: boolean }> = {
  "with JavaScript": {},
  "with scripts that fail to load": { failing: true },
};

async function open(options: BrowserContextOptions & { failing?: boolean } = {}, at: Site = site) {
  const { failing, ...context } = options;
  const visited = await visit(browser, at, { ...desk, ...context });
  if (failing) await visited.page.route("**/*.js", (route) => route.abort());
  return visited;
}

for (const [way, options] of Object.entries(ways))
  test(`a message with an error is returned, corrected and delivered, ${way}`, async () => {
    const { page, close } = await open(options);
    await page.goto("/contact");
    await fill(page, { ...message, email: "julia@" });
    await button(page).click();
    await page.locator("#errors").waitFor();
    assert.equal(await page.title(), "Error: Contact – Best Management");
    await page.locator("#errors:focus").waitFor();
    assert.deepEqual(await page.locator("#errors li").allInnerTexts(), [
      "Enter a complete email address, such as name@example.com.",
    ]);
    assert.equal(await page.locator("[name=email]").inputValue(), "julia@");
    assert.equal(await page.locator("[name=message]").inputValue(), message.message);
    await page.locator("#errors a").click();
    await page.locator("#email:focus").waitFor();
    await page.locator("[name=email]").fill(message.email);
    await button(page).click();
    await isState(page, "sent");
    const receipt = page.locator("[data-receipt]");
    assert.match(await receipt.innerText(), /We have your message/);
    await page.locator("[data-receipt] h1:focus").waitFor();
    const sent = await panel.next();
    assert.equal(sent.path, "/api/entry/contact/send");
    assert.match(sent.key ?? "", /^[0-9a-f]{32}$/);
    assert.deepEqual(sent.fields, Object.entries(message));
    await close();
  });

test("an application keeps its photos after an error and is delivered", async () => {
  const { page, close } = await open();
  await page.goto("/be-a-model");
  await fill(page, { ...applicant, email: "ana@" });
  await choosePhotos(page);
  await page.locator("[name=privacy]").check();
  await button(page).click();
  await page.locator("#errors").waitFor();
  for (const name of Object.keys(photos)) {
    // With JavaScript the photo is not uploaded yet and is drawn from its file; without it, the server keeps it.
    const shown = page.locator(`#${name}-field :is(img, canvas)`).last();
    await page.locator(`#${name}-field`).scrollIntoViewIfNeeded(); // so that the picker's script is loaded
    await shown.waitFor();
    assert.ok(
      await shown.evaluate(
        (element) =>
          !(element instanceof HTMLImageElement) || element.decode().then(() => element.naturalWidth > 0),
      ),
    );
  }
  assert.match(await page.locator("#image_1-field label + p").innerText(), /book-1.jpg/);
  await page.locator("[name=email]").fill(applicant.email);
  await button(page).click();
  await isState(page, "sent");
  const sent = await panel.next();
  assert.equal(sent.path, "/api/entry/getScouted/send");
  assert.deepEqual(
    sent.files.map(({ field, name, type }) => [field, name, type]),
    [
      ["image_1", "book-1.jpg", "image/jpeg"],
      ["image_2", "book-2.jpg", "image/jpeg"],
      ["image_3", "book-3.jpg", "image/jpeg"],
    ],
  );
  await close();
});

describe("the states of a form", () => {
  test("are idle, sending, sent, then idle and empty; the button keeps its width", async () => {
    const { page, complaints, close } = await open();
    await page.goto("/contact");
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/contact", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await fill(page, message);
    const width = async () => (await button(page).boundingBox())!.width;
    const idle = await width();
    assert.equal(await state(page), "idle");
    assert.equal(await button(page).innerText(), "Send");
    await button(page).dblclick();
    await isState(page, "sending");
    assert.equal(await button(page).innerText(), "Sending");
    assert.equal(await width(), idle);
    const before = (await panel.received()).length;
    release();
    await isState(page, "sent");
    await page
      .getByRole("heading", { level: 1, name: `Thank you, ${message.name.split(" ")[0]!}` })
      .waitFor();
    assert.equal(await width(), idle);
    await isState(page, "idle");
    await page.locator("#again > summary").click(); // which has closed again
    assert.equal(await button(page).innerText(), "Send");
    assert.equal(await width(), idle);
    for (const name of Object.keys(message))
      assert.equal(await page.locator(`[name=${name}]`).inputValue(), "");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Thank you", exact: true }).waitFor();
    assert.match(new URL(page.url()).search, /^\?sent=B-/, "a reload shows the receipt, without the name");
    await panel.next();
    assert.equal((await panel.received()).length, before + 1, "a double click sends once");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("a network failure is reported, keeps the fields, and leads to one submission", async () => {
    const { page, close } = await open();
    await page.goto("/es/contact");
    await page.route("**/contact", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await fill(page, message);
    await button(page).click();
    await page.getByText(/no se envió/i).waitFor();
    assert.equal(await state(page), "idle");
    assert.equal(await page.locator("[name=name]").inputValue(), message.name);
    await page.unroute("**/contact");
    const before = (await panel.received()).length;
    await button(page).click();
    await isState(page, "sent");
    await panel.next();
    assert.equal((await panel.received()).length, before + 1);
    await close();
  });

  test("a proxy's error page does not replace the form", async () => {
    const { page, close } = await open();
    await page.goto("/contact");
    await page.route("**/contact", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
        : route.continue(),
    );
    await fill(page, message);
    await button(page).click();
    await page.locator("[data-failed]").waitFor();
    assert.equal(await page.locator("[name=message]").inputValue(), message.message);
    assert.equal(await state(page), "idle");
    await close();
  });

  test("a proxy that takes no form of this size is told with the photos' sizes, and everything stays", async () => {
    const { page, close } = await open();
    await page.goto("/be-a-model");
    await page.route("**/be-a-model", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 413, contentType: "text/html", body: "<h1>Request Entity Too Large</h1>" })
        : route.continue(),
    );
    await fill(page, applicant);
    await choosePhotos(page);
    await page.locator("[name=privacy]").check();
    await button(page).click();
    await page.getByText(/your photos are too large together \(\d.* = .* MB\)/).waitFor();
    assert.equal(await state(page), "idle");
    assert.equal(await page.locator("[name=realname]").inputValue(), applicant.realname);
    assert.equal(await page.locator("form canvas").count(), 3);
    await close();
  });
});

describe("a receipt", () => {
  test("is completely visible without scrolling", async () => {
    const { page, close } = await open(phone);
    for (const [path, values] of [
      ["/contact", message],
      ["/pt/become-a-model", { ...applicant, ...minor }], // the longest
    ] as const) {
      await page.goto(path);
      if ("realname" in values) {
        await fill(page, applicant);
        await choosePhotos(page);
        await page.locator("[name=privacy]").check();
        await fill(page, minor);
        await page.locator("[name=responsible_consent]").check();
      } else await fill(page, values);
      await button(page).click();
      await page.locator("[data-receipt]").waitFor();
      const first = await page.evaluate(
        () => document.querySelector("[data-receipt]")!.getBoundingClientRect().bottom <= innerHeight,
      );
      assert.equal(await page.evaluate(() => scrollY), 0, path);
      await page.locator("[data-receipt] h1:focus").waitFor();
      assert.ok(first, `${path}: the receipt is above the fold`);
      await isState(page, "idle");
      assert.equal(await page.evaluate(() => scrollY), 0, path);
      const reference = await page.locator("[data-receipt] dd").first().innerText();
      await page.reload();
      assert.equal(await page.locator("[data-receipt] dd").first().innerText(), reference);
      await panel.next();
    }
    await close();
  });
});

describe("the application with JavaScript", () => {
  test("shows fields by age and gender", async () => {
    const { page, complaints, close } = await open();
    await page.goto("/be-a-model");
    await page.locator("[data-island=form][data-mounted]").waitFor();
    const shown = (name: string) => page.locator(`[name=${name}]`).isVisible();
    assert.equal(await shown("responsible"), false);
    await page.locator("[name=birthdate]").pressSequentially("01022015");
    assert.equal(await page.locator("[name=birthdate]").inputValue(), "01/02/2015");
    assert.equal(await shown("responsible"), true);
    for (const name of ["bust", "waist", "hips", "dress"]) assert.equal(await shown(name), false, name);
    assert.equal(await page.getByText("swimsuit").isVisible(), false);
    await page.locator("[name=birthdate]").fill("01/02/1999");
    assert.equal(await shown("responsible"), false);
    assert.equal(await page.locator("label[for=bust]").innerText(), "Bust");
    await page.locator("[name=gender]").selectOption("man");
    assert.equal(await page.locator("label[for=bust]").innerText(), "Jacket");
    assert.equal(await page.locator("label[for=dress]").innerText(), "Suit");
    const number = page.locator("[name=phone]");
    await number.pressSequentially("5511987654321");
    assert.equal(await number.inputValue(), "+55 (11) 98765-4321");
    await number.fill("");
    await page.keyboard.insertText("+55 11 98765.4321"); // as if pasted
    await number.blur();
    assert.equal(await number.inputValue(), "+55 (11) 98765-4321");
    await number.fill("55-11-98765-4321"); // as if filled in by the browser
    assert.equal(await number.inputValue(), "+55 (11) 98765-4321");
    await page.locator("[name=realname]").press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
    assert.equal(await state(page), "idle");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("the city is disabled while its list loads or no country is chosen", async () => {
    const { page, close } = await open();
    await page.goto("/be-a-model");
    const city = page.locator("[name=city]");
    assert.ok(await city.isDisabled());
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/be-a-model?country=*", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("[name=country]").selectOption("BR");
    assert.ok(await city.isDisabled());
    release();
    await page.locator("[name=city]:enabled").waitFor();
    await city.selectOption("São Paulo");
    await page.locator("[name=country]").selectOption("");
    await page.locator("[name=city]:disabled").waitFor();
    await close();
  });

  test("a photo picker shows the photo, its short name, and errors of a file", async () => {
    const { page, complaints, close } = await open(phone);
    await page.goto("/be-a-model");
    const picker = page.locator("#image_1-field");
    await picker.scrollIntoViewIfNeeded();
    await page.locator("[data-island=photo-picker][data-mounted] #image_1").waitFor({ state: "attached" });
    const buffer = readFileSync(photos.image_1);
    await page
      .locator("#image_1")
      .setInputFiles({ name: "IMG_20260914_1200.jpeg", mimeType: "image/jpeg", buffer });
    await picker.locator("canvas").waitFor();
    assert.equal(await picker.locator("label + p").innerText(), "IMG_20260914...jpeg – change");
    // The content of a file counts, not the type that the browser derives from its name.
    for (const [name, mimeType] of [
      ["cv.pdf", "application/pdf"],
      ["cv.jpg", "image/jpeg"],
    ] as const) {
      await page.locator("#image_1").setInputFiles({ name, mimeType, buffer: Buffer.from("%PDF") });
      await picker.getByText("This is not a PNG, GIF or JPEG. Choose another photo.").waitFor();
      assert.equal(await picker.locator("canvas").count(), 0);
      await page.locator("#image_1").setInputFiles({ name: "profile", mimeType: "", buffer });
      await picker.locator("canvas").waitFor();
      assert.equal(await picker.locator("label + p").innerText(), "profile – change");
      assert.equal(await picker.locator("[id$=-error]").count(), 0);
    }
    await page
      .locator("#image_1")
      .setInputFiles({ name: "big.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
    await picker.getByText("This photo is larger than 10 MB.").waitFor();
    await page
      .locator("#image_1")
      .setInputFiles({ name: "IMG_1.HEIC", mimeType: "image/heic", buffer: Buffer.from("no heic") });
    await picker.getByText("We can’t read HEIC photos").waitFor();

    const file = await page.evaluateHandle((bytes) => {
      const data = new DataTransfer();
      const type = "image/jpeg";
      data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], "drop.jpg", { type }));
      return data;
    }, buffer.toString("base64"));
    await picker.dispatchEvent("drop", { dataTransfer: file });
    await picker.locator("canvas").waitFor();
    assert.equal(await picker.locator("label + p").innerText(), "drop.jpg – change");
    assert.equal(await picker.locator("[id$=-error]").count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe("help with filling in", () => {
  test("an error disappears when its corrected field loses the focus, and the summary with the last one", async () => {
    const { page, close } = await open();
    await page.goto("/contact");
    await fill(page, { ...message, email: "julia@", phone: "1" });
    await button(page).click();
    await page.locator("#errors").waitFor();
    await page.locator("[data-island=form][data-mounted]").waitFor();
    const [email, number] = [page.locator("[name=email]"), page.locator("form [name=phone]")];
    const errors = page.locator("#errors a:not(.invisible)");
    assert.equal(await errors.count(), 2);
    await email.fill(message.email);
    assert.equal(await email.getAttribute("aria-invalid"), "true", "the error stays while typing");
    await number.focus();
    await page.locator("#email-error").waitFor({ state: "hidden" });
    assert.equal(await email.getAttribute("aria-invalid"), null);
    assert.doesNotMatch((await email.getAttribute("aria-describedby")) ?? "", /email-error/);
    assert.equal(await errors.count(), 1);
    await number.fill("2");
    await email.focus();
    assert.equal(await number.getAttribute("aria-invalid"), "true", "the error of an invalid field stays");
    await number.fill(message.phone);
    await email.focus();
    await page.locator("#errors").waitFor({ state: "hidden" });
    await close();
  });

  test("sizes are typed, and wrong dates and sizes are named", async () => {
    const { page, complaints, close } = await open({ ...phone, bypassCSP: true });
    await page.goto("/be-a-model");
    const [height, shoes, birthdate] = [
      page.getByLabel("Height"),
      page.getByLabel("Shoes"),
      page.getByLabel("Date of birth"),
    ];
    await birthdate.focus();
    for (const typed of ["1,74", "5'8½", "174"]) {
      await height.fill(typed);
      await page.getByText("cm · 5′8½″").waitFor();
    }
    await shoes.fill("70");
    await accessible(page, "typed sizes");
    await birthdate.pressSequentially("5.3.2012");
    await page.locator("#responsible").waitFor();
    assert.equal(await birthdate.inputValue(), "05/03/2012");
    await shoes.focus();
    await page.locator(".error-text:visible").first().waitFor({ state: "hidden" });
    await button(page).click();
    await page.getByText("70 is not one of our sizes. The nearest are 59.5 and 60.").first().waitFor();
    assert.equal(await height.inputValue(), "174", "what was typed stays");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("the list of errors is in the order of the page, and drops fields that have gone", async () => {
    const { page, close } = await open();
    await page.goto("/be-a-model");
    await button(page).click();
    const links = page.locator("#errors a");
    await links.first().waitFor();
    const tops = await links.evaluateAll((all) =>
      all.map(
        (link) => document.querySelector((link as HTMLAnchorElement).hash)!.getBoundingClientRect().top,
      ),
    );
    assert.deepEqual(
      tops.slice(0, 7),
      tops.slice(0, 7).sort((a, b) => a - b),
    );
    assert.equal(await page.locator('#errors a[href="#bust"]').count(), 1);
    await page.locator("[name=birthdate]").fill("22/11/2012");
    await page.locator('#errors a[href="#bust"]').waitFor({ state: "hidden" });
    await page.locator('#errors a[href="#height"]').click();
    await page.locator("#height:focus").waitFor();
    await close();
  });

  test("invalid fields are reported before the photos are uploaded, which happens once", async () => {
    const { page, close } = await open();
    const bodies: Promise<number>[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push(request.headerValue("content-length").then(Number));
    });
    await page.goto("/be-a-model");
    for (const invalid of [
      { email: "ana@" },
      { phone: "12" },
      { birthdate: "31/02/1999" },
      { realname: "" },
    ]) {
      await fill(page, { ...applicant, ...invalid });
      await choosePhotos(page);
      await page.locator("[name=privacy]").check();
      await button(page).click();
      await page.locator(`#errors a[href="#${Object.keys(invalid)[0]}"]`).waitFor();
    }
    for (const size of await Promise.all(bodies)) assert.ok(size < 10_000, `${size} bytes`);
    assert.equal(bodies.length, 4);
    await page.locator("[name=realname]").fill(applicant.realname);
    await button(page).click();
    await isState(page, "sent");
    const sizes = await Promise.all(bodies);
    assert.equal(sizes.length, 5);
    assert.ok(sizes[4]! > 100_000, `${sizes[4]} bytes`);
    await panel.next();
    await close();
  });
});

describe("forms are accessible and fit the width", () => {
  // The other languages' longer words: e2e/copy.test.ts and the receipts above.
  for (const [name, size] of Object.entries({ phone, desk }))
    test(`empty, with errors, sending and sent, ${name}`, async () => {
      const { page, complaints, close } = await open({ ...size, bypassCSP: true });
      for (const path of ["/contact", "/be-a-model"]) {
        let release = () => {};
        let held = Promise.resolve();
        await page.route(`**${path}`, async (route) => {
          if (route.request().method() === "POST") await held;
          await route.continue();
        });
        await page.goto(path);
        if (size === phone) await accessible(page, path + " empty"); // on a desktop as with errors
        await button(page).click();
        await page.locator("#errors").waitFor();
        await accessible(page, path + " in error");
        await page.locator("[data-island=form][data-mounted]").waitFor();
        await fill(page, path === "/contact" ? message : applicant);
        if (path === "/be-a-model") {
          await choosePhotos(page);
          await page.locator("[name=privacy]").check();
        }
        held = new Promise((resolve) => (release = resolve));
        await button(page).click();
        await isState(page, "sending");
        if (size === phone) await accessible(page, path + " sending");
        release();
        await isState(page, "sent");
        await accessible(page, path + " sent");
        for (const input of await page.locator("form input[type=file]").all())
          assert.equal(await input.inputValue(), "");
        await panel.next();
      }
      assert.deepEqual(complaints, []);
      await close();
    });
});

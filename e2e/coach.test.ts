// The advice on a chosen photo, and the smaller photo that is uploaded in its place.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "./browser";
import { accessible, desk, phone, startSite, visit, type Site } from "./site";

let site: Site;
before(async () => {
  site = await startSite();
});
after(async () => {
  await site.stop();
});

async function open(path = "/be-a-model", options = desk) {
  const { page, complaints, close } = await visit(browser, site, options);
  await page.goto(path);
  await page.locator("#image_1-field").scrollIntoViewIfNeeded();
  await page.locator("[data-island=photo-picker][data-mounted] #image_1").waitFor({ state: "attached" });
  return { page, pick: page.locator("#image_1-field"), complaints, close };
}

/** photo is a JPEG of this size with stripes of two colours. */
async function photo(page: Page, width: number, height: number, colours: [string, string]): Promise<Buffer> {
  const bytes = await page.evaluate(
    ({ width, height, colours }) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d")!;
      for (let x = 0; x < width; x += width / 40) {
        context.fillStyle = colours[Math.round((x * 40) / width) % 2]!;
        context.fillRect(x, 0, width / 40, height);
      }
      return canvas.toDataURL("image/jpeg", 1).split(",")[1]!;
    },
    { width, height, colours },
  );
  return Buffer.from(bytes, "base64");
}

const grey: [string, string] = ["#666", "#bbb"];

/** rotated gives the photo EXIF orientation 6, as of a phone that was held sideways. */
function rotated(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    "457869660000" + "49492a0008000000" + "0100" + "120103000100000006000000" + "00000000",
    "hex",
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)]);
}

/** chosenFile describes the file in the form's input. */
const chosenFile = (page: Page) =>
  page.locator("#image_1").evaluate(async (input: HTMLInputElement) => {
    const file = new FormData(input.form!).get(input.name) as File; // what is sent
    const { width, height } = await createImageBitmap(file);
    return { name: file.name, type: file.type, size: file.size, width, height };
  });

describe("the photo coach", () => {
  test("scales a phone's original down, turns it upright, and calls it good", async () => {
    const { page, pick, complaints, close } = await open();
    const buffer = rotated(await photo(page, 4000, 3000, grey));
    await page.locator("#image_1").setInputFiles({ name: "IMG_1.jpg", mimeType: "image/jpeg", buffer });
    await pick.getByRole("status").getByText("Good: sharp, even light, 2,400 px.").waitFor();
    const { size, ...file } = await chosenFile(page);
    assert.deepEqual(file, { name: "IMG_1.jpg", type: "image/jpeg", width: 1800, height: 2400 });
    assert.ok(size < buffer.length);
    assert.ok(!(await pick.locator("svg path").first().isVisible()), "nothing is drawn over the photo");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("gives advice on a dark photo and lets the visitor keep it", async () => {
    const { page, pick, complaints, close } = await open("/be-a-model", { ...phone, bypassCSP: true });
    const buffer = await photo(page, 1200, 1600, ["#000", "#222"]);
    await page.locator("#image_1").setInputFiles({ name: "dark.jpg", mimeType: "image/jpeg", buffer });
    const keep = pick.getByRole("status").getByRole("button");
    await keep.waitFor();
    await pick.getByText("A little dark.").waitFor();
    await accessible(page, "advice on a photo");
    await keep.focus();
    await page.keyboard.press("Enter");
    await keep.waitFor({ state: "detached" });
    assert.equal(
      (await chosenFile(page)).size,
      buffer.length,
      "a photo that is not too large is not changed",
    );
    assert.equal(await page.locator("#image_1[aria-invalid]").count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("asks for an upright photo of the whole body", async () => {
    const { page, close } = await open();
    for (const [input, words] of [
      ["image_2", "For a full-length photo"],
      ["image_3", "Good: sharp, even light, 1,600 px."],
    ] as const) {
      const buffer = await photo(page, 1600, 1200, grey);
      await page.locator(`#${input}`).setInputFiles({ name: "wide.jpg", mimeType: "image/jpeg", buffer });
      await page.locator(`#${input}-field`).getByRole("status").getByText(words).waitFor();
    }
    await close();
  });

  test("keeps the original if scaling fails", async () => {
    const { page, pick, close } = await open();
    const buffer = await photo(page, 3000, 2000, grey);
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.toBlob = () => {
        throw new Error("no memory");
      };
    });
    await page.locator("#image_1").setInputFiles({ name: "IMG_2.jpg", mimeType: "image/jpeg", buffer });
    await pick.locator("canvas").waitFor();
    assert.equal((await chosenFile(page)).size, buffer.length);
    await close();
  });
});

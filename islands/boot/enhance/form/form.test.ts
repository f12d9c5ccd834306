import assert from "node:assert/strict";
import { test } from "node:test";
import { generate, text } from "../../../generate";
import { formatDate } from "./calendar";
import { isValid } from "./check";
import { isMinor, sizesOf } from "../form";
import { formatComplete, masked, typed } from "./mask";
import { uploadedFractions } from "./upload";

test("a minor is younger than 18 today", () => {
  const today = new Date(2026, 10, 21);
  for (const [text, minor] of [
    ["21/11/2008", false],
    ["22/11/2008", true],
    ["2008-11-22", true],
    ["2008-11-21", false],
    ["1/2/2015", true],
    ["05.03.2012", true],
    ["05 - 03 - 2012", true],
    ["05032012", true],
    ["2012/3/5", true],
    ["31/02/2015", false],
    ["22/11/2026", false],
    ["", false],
    ["22/11/20", false],
  ] as const)
    assert.equal(isMinor(text, today), minor, text);
});

test("a number of another country is left as it is typed", () => {
  const phone = "+## (##) #####-####";
  for (const number of ["+34 612 345 678", "+351 912 345 678", "0034 612345678", "+54 9 11 1234"]) {
    let shown = "";
    for (const character of number) shown = typed(shown + character, character, phone);
    assert.equal(shown, number);
  }
  let shown = "";
  for (const character of "+5511987654321") shown = typed(shown + character, character, phone);
  assert.equal(shown, "+55 (11) 98765-4321");
});

test("masked inserts the fixed characters between the digits typed so far", () => {
  const phone = "+## (##) #####-####";
  assert.equal(masked("5", phone), "+5");
  assert.equal(masked("+55", phone), "+55");
  assert.equal(masked("+551", phone), "+55 (1");
  assert.equal(masked("5511987654321", phone), "+55 (11) 98765-4321");
  assert.equal(masked("+55 (11) 98765-43219", phone), "+55 (11) 98765-43219", "too many digits");
});

test("formatComplete formats text with the right number of digits, whatever its punctuation", () => {
  const phone = "+## (##) #####-####";
  for (const text of [
    "5511987654321",
    "+55 11 98765-4321",
    "+55.11.98765.4321",
    "55/11/987654321",
    "5511 98765‑4321",
    "\u202a+55 11 98765-4321\u202c",
  ])
    assert.equal(formatComplete(text, phone), "+55 (11) 98765-4321", text);
  for (const text of ["", "(11) 98765-4321", "+551198765432100", "tel:+5511987654321", "٥٥11987654321"])
    assert.equal(formatComplete(text, phone), text);
});

test("a date is written as dd/MM/yyyy, however it was typed", () => {
  for (const text of [
    "17042001",
    "17-04-2001",
    "17.4.2001",
    "17 / 04 / 2001",
    "2001/04/17",
    "2001-04-17",
    "17.04.2001.",
  ])
    assert.equal(formatDate(text), "17/04/2001", text);
  for (const text of ["31/02/2001", "17 April 2001", "17/04/01", "1704", "20010417", ""])
    assert.equal(formatDate(text), text);
});

test("uploadedFractions assigns the uploaded bytes to the photos in order", () => {
  const form = new FormData();
  form.append("realname", "Ana");
  for (const [name, size] of Object.entries({ image_1: 100, image_2: 0, image_3: 200 }))
    form.append(name, new File([new Uint8Array(size)], "a.jpg"));
  assert.deepEqual(uploadedFractions(form, 50), { image_1: 0.5, image_3: 0 });
  assert.deepEqual(uploadedFractions(form, 150), { image_1: 1, image_3: 0.25 });
  assert.deepEqual(uploadedFractions(form, 400), { image_1: 1, image_3: 1 });
});

test("the sizes of photos that a server refuses are in MB, and together", () => {
  const form = new FormData();
  form.append("realname", "Ana");
  assert.equal(sizesOf(form, "en"), "");
  for (const [name, megabytes] of Object.entries({ image_1: 3.25, image_2: 0, image_3: 12 })) {
    if (name === "image_3") assert.equal(sizesOf(form, "pt"), "3,3");
    form.append(name, new File([new Uint8Array(megabytes * 2 ** 20)], "a.jpg"));
  }
  assert.equal(sizesOf(form, "en"), "3.3 + 12 = 15.3");
});

test("no digit that was typed is lost or moved, and every text is checked", () => {
  const digits = (text: string) => text.replace(/\D/g, "");
  generate((random) => {
    const number = Array.from({ length: random(15) }, () => random(10)).join("");
    const typed = [number, text(random), number + text(random)][random(3)]!;
    for (const mask of ["+## (##) #####-####"]) {
      for (const shown of [masked(typed, mask), formatComplete(typed, mask)]) {
        assert.equal(digits(shown), digits(typed), typed);
        assert.equal(formatComplete(shown, mask), shown, typed);
      }
      const type = ["text", "tel", "email"][random(3)];
      const control = {
        value: typed,
        type,
        required: true,
        dataset: { mask },
      } as unknown as HTMLInputElement;
      assert.equal(typeof isValid(control), "boolean");
      assert.ok(!isValid(control) || typed.trim() !== "", typed);
    }
    isMinor(typed);
  });
});

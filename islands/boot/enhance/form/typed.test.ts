import assert from "node:assert/strict";
import { test } from "node:test";
import { likely, numberIn } from "./typed";

test("numberIn reads centimetres, metres, feet and sizes with a comma", () => {
  for (const [text, unit, number] of [
    ["174", "cm", 174],
    ["1,74", "cm", 174],
    ["1.74 m", "cm", 174],
    ["5'8", "cm", 173],
    ["5 ft 8 in", "cm", 173],
    ["39,5", "EU", 39.5],
    ["2", "EU", 2],
  ] as const)
    assert.equal(numberIn(text, unit), number, text);
  assert.ok(Number.isNaN(numberIn("tall", "cm")));
});

test("what is likely depends on the age and the gender", () => {
  for (const [name, age, gender, size] of [
    ["height", 25, "woman", 174],
    ["height", 25, "man", 188],
    ["height", 4, "woman", 104],
    ["height", 14, "man", 165],
    ["shoes", 25, "woman", 39],
    ["shoes", 25, "man", 44],
    ["shoes", 6, "man", 30],
  ] as const) {
    const [from, to] = likely(name, age, gender);
    assert.ok(from <= size && size <= to, `${name} at ${age}: ${from} to ${to}`);
  }
  assert.ok(likely("height", 4, "woman")[1] < 150);
});

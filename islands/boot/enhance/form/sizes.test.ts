import assert from "node:assert/strict";
import { test } from "node:test";
import { numberIn } from "./sizes";

test("numberIn reads centimetres, metres, feet and sizes with a comma", () => {
  for (const [text, unit, number] of [
    ["174", "cm", 174],
    ["1,74", "cm", 174],
    ["1.74 m", "cm", 174],
    ["5'8", "cm", 173],
    ["5'8½", "cm", 174],
    ["5 ft 8 in", "cm", 173],
    ["39,5", "EU", 39.5],
    ["2", "EU", 2],
  ] as const)
    assert.equal(numberIn(text, unit), number, text);
  assert.ok(Number.isNaN(numberIn("tall", "cm")));
});

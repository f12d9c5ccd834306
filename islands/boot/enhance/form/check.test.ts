import assert from "node:assert/strict";
import { test } from "node:test";
import { isValid } from "./check";

const field = (value: string, more: Record<string, unknown> = {}) =>
  ({ value, type: "text", required: true, dataset: {}, ...more }) as unknown as HTMLInputElement;

test("isValid checks required fields, addresses, phone numbers and dates", () => {
  const phone = { type: "tel", dataset: { mask: "+## (##) #####-####" } };
  const date = { dataset: { date: "" } };
  for (const [control, valid] of [
    [field(""), false],
    [field("", { required: false }), true],
    [field("Ana"), true],
    [field("ana@", { type: "email" }), false],
    [field("ana@example.com", { type: "email" }), true],
    [field("", { type: "checkbox", checked: true }), true],
    [field("on", { type: "checkbox", checked: false }), false],
    [field("5511987654321", phone), true],
    [field("+55 (11) 8765-4321", phone), false],
    [field("+351 912 345 678", { type: "tel" }), true],
    [field("30/04/1999", date), true],
    [field("1999-04-30", date), true],
    [field("31/02/2001", date), false],
    [field("30/04/2999", date), false],
  ] as const)
    assert.equal(isValid(control), valid, control.value);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { generate, json } from "../generate";

let stored: string | null;

Object.assign(globalThis, {
  localStorage: { getItem: () => stored, setItem: (_: string, value: string) => (stored = value) },
  dispatchEvent: () => true,
});
const { ids, put, remove, save } = await import("./store");
beforeEach(() => (stored = null));

test("favourites keep their order, also those whose ids are numbers", () => {
  save(["30", "b", "4"]);
  save(["1", "b"]);
  assert.deepEqual(ids(), ["30", "b", "4", "1"]);
  remove("b");
  assert.deepEqual(ids(), ["30", "4", "1"]);
  put(["9", "1"]);
  assert.deepEqual(ids(), ["9", "1"]);
});

test("whatever is stored, favourites are ids, and new ones come last and stay", () => {
  generate((random) => {
    stored = json(random);
    const before = ids();
    for (const id of before) assert.match(id, /^[!-+\--~]{1,64}$/, stored);
    const wasStored = stored;
    save(["new-1", "7000"]);
    assert.deepEqual(ids(), [...before, "new-1", "7000"], wasStored);
    remove("new-1");
    assert.deepEqual(ids(), [...before, "7000"], wasStored);
    assert.ok(ids().includes("7000") && !ids().includes("new-1"), wasStored);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shortName } from "./name";

// The server is tested with the same table (views/form_test.go).
test("a long file name is cut to 12 characters, three dots and the extension", () => {
  const table = JSON.parse(readFileSync("views/testdata/names.json", "utf8")) as Record<string, string>;
  for (const [name, shown] of Object.entries(table)) assert.equal(shortName(name), shown);
});

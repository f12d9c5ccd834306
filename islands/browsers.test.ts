import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("scripts and styles are built for the browsers that docs/browsers.md promises", () => {
  const [, targets] = /target: \[(.*?)\]/.exec(readFileSync("scripts/build.mjs", "utf8"))!;
  const promised = readFileSync("docs/browsers.md", "utf8").matchAll(
    /^\| (Safari|Firefox|Chrome) \| ([\d.]+) \|/gm,
  );
  assert.deepEqual(
    targets!.split(", ").map((target) => target.slice(1, -1)),
    [...promised].map(([, name, version]) => name!.toLowerCase() + version),
  );
});

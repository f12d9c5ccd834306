// All browser tests in one process, two files at a time: one browser and two sites serve them all. What is imported
// here is started before the first file and ended after the last.
import { readdirSync } from "node:fs";
import { describe } from "node:test";
import "./agency";
import "./demo";

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
describe("in browsers", { concurrency: 2 }, () => {
  for (const file of files) describe(file, { concurrency: 1, timeout: 600_000 }, () => import(`./${file}`));
});

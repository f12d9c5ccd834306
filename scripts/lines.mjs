// Reports lines of more than 120 columns, and exits with 1 if there are any. Content (JSON, YAML, Markdown's tables and
// the demo's pages) and SVG paths may be longer. A tab counts as four columns.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const limit = 120;
const kinds = /\.(go|templ|tsx?|m?js|css|sql|md|yml)$|^Makefile$/;
const excluded = /_templ\.go$|\/testdata\/|folder\/demo\/|^static\/dist\//;

const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
const files = execFileSync("git", list, { encoding: "utf8" })
  .split("\n")
  .filter((file) => kinds.test(file) && !excluded.test(file) && existsSync(file));

let found = 0;
for (const file of files) {
  const markdown = file.endsWith(".md");
  for (const [at, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const text = line.replaceAll("\t", "    ").replace(/ d="[^"]*"/g, ' d=""');
    const columns = [...text].length;
    if (columns <= limit || (markdown && line.startsWith("|"))) continue;
    console.error(`${file}:${at + 1}: ${columns} columns, ${limit} are the limit`);
    found++;
  }
}
process.exitCode = found > 0 ? 1 : 0;

// Makes the files of static/fonts from the open fonts Newsreader and Instrument Sans. It is run by hand in a separate
// folder when a file needs other letters; the ranges in static/faces.js must be the same:
//
//   npm install @fontsource-variable/newsreader @fontsource-variable/instrument-sans subset-font fontkit
//   node …/scripts/fonts.mjs
//
// and then scripts/kerning.py on all. Newsreader is reduced to one weight and one optical size for each use, from
// 132 to 17 KB, and then to 13: what a server sends in its first flight, ten packets (RFC 6928).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { create } from "fontkit";
import subsetFont from "subset-font";

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const latin1 = [...range(0x20, 0x7e), ...range(0xa0, 0xff)];
// Rare in names and headings, for which Newsreader is used.
const symbols = Array.from("<=>[\\]^_`{|}~¢£¤¥¦§¨©¬®¯°±²³´µ¶¸¹¼½¾×÷", (c) => c.codePointAt(0));
const latin = [
  ...latin1.filter((letter) => !symbols.includes(letter)),
  ...Array.from("–—‘’“”•…ıŒœ", (c) => c.codePointAt(0)),
];
// The packages' Latin Extended without letters of phonetics and medieval texts.
const extended = [
  ...range(0x100, 0x17f),
  ...[0x18f, 0x192, 0x1a0, 0x1a1, 0x1af, 0x1b0, 0x1e6, 0x1e7, 0x259, 0x2bc, 0x1e9e],
  ...range(0x1cd, 0x1dc),
  ...range(0x1fa, 0x21b),
  ...range(0x22a, 0x233),
  ...range(0x300, 0x323),
  ...range(0x1e80, 0x1e85),
  ...range(0x20a0, 0x20c0),
];
// Of Poland, Czechia, Slovakia, Hungary, Croatia, Romania and Turkey: half of the letters, most of the names.
const central = Array.from("ĄąĆćČčĎďĐđĘęĚěĞğİĹĺĽľŁłŃńŇňŐőŔŕŘřŚśŞşŠšŤťŮůŰűŹźŻżŽžȘșȚț", (c) =>
  c.codePointAt(0),
);
const vietnamese = range(0x1ea0, 0x1ef9); // the rest is in Latin Extended

const fonts = [
  { name: "newsreader-display", source: "newsreader", axis: "opsz", variationAxes: { opsz: 72, wght: 300 } },
  { name: "newsreader-text", source: "newsreader", axis: "opsz", variationAxes: { opsz: 28, wght: 380 } },
  { name: "instrument-sans", source: "instrument-sans", axis: "wght", whole: true },
];
const subsets = { latin, symbols, central, "latin-ext": extended, vietnamese };

for (const { name, source, axis, variationAxes, whole } of fonts) {
  const done = new Set();
  for (const [subset, letters] of Object.entries(subsets)) {
    const packaged = { symbols: "latin", central: "latin-ext" }[subset] ?? subset;
    const file = `node_modules/@fontsource-variable/${source}/files/${source}-${packaged}-${axis}-normal.woff2`;
    if (!existsSync(file) || (whole && packaged !== subset)) continue; // Instrument Sans has no Vietnamese
    const font = readFileSync(file);
    const has = create(font).characterSet;
    const kept = has.filter((letter) => (whole || letters.includes(letter)) && !done.has(letter));
    if (kept.length === 0) continue; // all in another file
    kept.forEach((letter) => done.add(letter));
    const result = await subsetFont(font, String.fromCodePoint(...kept), {
      targetFormat: "woff2",
      variationAxes,
    });
    const out = name + (subset === "latin" ? "" : "-" + subset) + ".woff2";
    writeFileSync(out, result);
    console.log(out, result.length, "bytes");
  }
}

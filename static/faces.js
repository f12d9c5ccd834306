// The rules of the typefaces. One file has the letters of en, pt and es; those for symbols and other languages' letters
// are fetched only where a page has one. Of two faces that have a letter the later is taken: a range may name letters
// that a later face has. scripts/fonts.mjs and kerning.py make the files.
const ranges = {
  "-symbols": "U+3C-BE, U+D7, U+F7",
  "-vietnamese": "U+1EA0-1EF9",
  "-latin-ext": "U+100-130, U+132-151, U+154-323, U+1E80-1E9E, U+20A0-20AB, U+20AD-20C0",
  "-central":
    "U+104-107, U+10C-111, U+118-11B, U+11E-11F, U+130, U+139-13A, U+13D-13E, U+141-144, U+147-148, U+150-151, " +
    "U+154-155, U+158-15B, U+15E-161, U+164-165, U+16E-171, U+179-17E, U+218-21B",
  "": "U+20-7E, U+A0-FF, U+131, U+152-153, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026",
};
const sansRanges = {
  "-latin-ext":
    "U+100-101, U+103-107, U+10A-113, U+116-11B, U+11E-123, U+126-127, U+12A-12B, U+12E-130, U+132-133, U+136-137, " +
    "U+139-13E, U+141-148, U+14A-14D, U+150-151, U+154-15B, U+15E-161, U+164-165, U+16A-17E, U+1CD-1CE, U+218-21B, " +
    "U+1E80-1E85, U+1E9E",
  "":
    "U+20-7E, U+A0-FF, U+131, U+152-153, U+2C6, U+2DA, U+2DC, U+2013-2014, U+2018-201A, U+201C-201E, U+2022, U+2026, " +
    "U+2039-203A, U+20AC, U+2122, U+2191, U+2193, U+2212",
};

const faces = (fontFamily, file, fontWeight, ranges) =>
  Object.entries(ranges).map(([part, unicodeRange]) => ({
    fontFamily,
    src: `url(../fonts/${file}${part}.woff2) format("woff2")`,
    fontWeight,
    fontDisplay: "swap",
    unicodeRange,
  }));

/** georgia stands beside Newsreader best, a little smaller: that has no Greek or Cyrillic. */
const georgia = (fontFamily, fontWeight) => ({
  fontFamily,
  src: 'local("Georgia")',
  fontWeight,
  sizeAdjust: "94%",
  unicodeRange: "U+370-3FF, U+400-52F, U+1F00-1FFF",
});

// The fallbacks take the metrics of the real fonts, so that text does not jump when they arrive: the width by
// size-adjust, measured on names and texts of the site; the overrides are multiplied by it. Android has only Noto Serif
// and Roboto; of other widths, they need faces of their own.
const fallback = (fontFamily, fonts, sizeAdjust, ascentOverride, descentOverride) => ({
  fontFamily,
  src: fonts.map((font) => `local("${font}")`).join(", "),
  sizeAdjust,
  ascentOverride,
  descentOverride,
  lineGapOverride: "0%",
});
const times = ["Times New Roman", "Liberation Serif", "Tinos"];
const arial = ["Arial", "Liberation Sans", "Arimo"];
const noto = ["NotoSerif", "NotoSerif-Regular"];

export default [
  georgia("Newsreader Display", "300"),
  ...faces("Newsreader Display", "newsreader-display", "300", ranges),
  georgia("Newsreader Text", "400"),
  ...faces("Newsreader Text", "newsreader-text", "400", ranges),
  ...faces("Instrument Sans", "instrument-sans", "400 700", sansRanges),
  fallback("Display fallback", times, "107%", "68.7%", "24.8%"),
  fallback("Text fallback", times, "102%", "72.1%", "26%"),
  fallback("Sans fallback", arial, "103%", "94.2%", "24.3%"),
  fallback("Display fallback 2", noto, "93%", "79%", "28.5%"),
  fallback("Text fallback 2", noto, "87%", "84.5%", "30.5%"),
  fallback("Sans fallback 2", ["Roboto-Regular"], "103.5%", "93.7%", "24.2%"),
];

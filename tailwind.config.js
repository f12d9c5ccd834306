// The design's tokens. Everything on the site derives from them: utilities are made from this theme, and
// the plugin hands the same values to the style sheets as custom properties.
import plugin from "tailwindcss/plugin";
import faces from "./static/faces.js";

const colors = {
  paper: "#ffffff",
  mist: "#f2f2f0", // placeholders, empty frames
  "mist-2": "#e9e9e6", // the same under the pointer
  rule: "#d8d8d4", // decorative hairlines only
  line: "#757575", // borders of controls, 4.6:1
  "ink-2": "#575757", // secondary text, 7.2:1
  ink: "#141414", // text, lines, buttons, 18.4:1
  accent: "#a3241b", // the editor's pencil: what is saved, 7.7:1
  "accent-on-ink": "#e0493d", // the same pencil on ink, 4.5:1
  mark: "#a3241b", // what is wrong, 7.7:1
  "mark-on-ink": "#e0493d",
  action: "#141414", // primary buttons, links in texts: ink, or an agency's accent
  "on-ink": "#ffffff",
  "on-ink-2": "#b6b6b2", // secondary text on ink, 9.1:1
  "rule-ink": "#3c3c3c",
  frame: "#202020", // a picture that is missing on ink
  placeholder: "#6b6b6b", // 5.3:1
  disabled: "#949490", // 3.1:1: a letter without talents, an arrow at its end
};

// The fallbacks of static/faces.js: a browser skips those whose font the device does not have.
const fallbacks = (name) => [`"${name} fallback"`, `"${name} fallback 2"`];

const fontFamily = {
  display: ['"Newsreader Display"', ...fallbacks("Display"), '"Times New Roman"', "serif"], // 26 px and up
  serif: ['"Newsreader Text"', ...fallbacks("Text"), "Georgia", "serif"], // names, ledes: 17–26 px
  sans: ['"Instrument Sans"', ...fallbacks("Sans"), '"Helvetica Neue"', "Arial", "sans-serif"],
};

const typeSizes = {
  mast: "min(clamp(3.25rem, 16.4vw, 6.5rem), 22svh)",
  board: "clamp(2.25rem, 1.75rem + 2vw, 3.5rem)",
  head: "clamp(1.75rem, 1.2rem + 1.6vw, 3.25rem)", // the words above a list
  name: "clamp(1.25rem, .9rem + .65vw, 1.625rem)", // below a card's picture
  1: "clamp(2.875rem, 2.1rem + 3.4vw, 5.5rem)",
  2: "clamp(1.75rem, 1.5rem + 1.1vw, 2.5rem)",
  3: "clamp(1.1875rem, 1.1rem + .38vw, 1.5rem)",
  lede: "clamp(1.25rem, 1.1rem + .65vw, 1.625rem)",
  body: "1.0625rem",
  ui: ".9375rem",
  small: ".8125rem",
  label: ".75rem",
};

// The device's typefaces. Those of texts come after the first pictures (others in islands/boot/head.ts), and a page for
// whoever saves data (Page.SavesData) has no other.
const device = {
  "--serif": fontFamily.serif.slice(1).join(),
  "--sans": fontFamily.sans.slice(1).join(),
};
const saving = { ...device, "--display": fontFamily.display.slice(1).join() };

// A size brings its line, tracking and weight where it always has the same.
const display = (lineHeight, letterSpacing) => ({ lineHeight, letterSpacing, fontWeight: "300" });
const text = (lineHeight) => ({ lineHeight, letterSpacing: "-.005em", fontWeight: "400" });
const settings = {
  mast: display(".86", "-.035em"),
  board: display("1", "-.025em"),
  head: display("1", "-.025em"),
  name: text("1.18"),
  1: display(".96", "-.03em"),
  2: display("1.08", "-.02em"),
  3: text("1.2"),
  lede: text("1.4"),
};

// Steps of space in px. Between two of them are their quarters: 2.25 is 9 px, 2.5 is 10 px, 2.75 is 11 px.
const steps = [0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 144];
const quarters = Object.fromEntries(
  steps.flatMap((step, n) => {
    const next = steps[n + 1];
    const parts = next ? [0, 0.25, 0.5, 0.75] : [0];
    return parts.map((part) => [n + part, `${step + part * ((next ?? 0) - step)}px`]);
  }),
);

const spacing = {
  ...quarters,
  0: "0",
  px: "1px",
  gutter: "clamp(16px, 2.78vw, 40px)",
  gap: "clamp(8px, 1.67vw, 24px)",
  tap: "44px", // the least that a finger hits
  header: "64px",
};

// Space made of these: a gutter less what a control has around its icon or letter, and the foot of a phone's screen.
const derivedSpacing = {
  "gutter-2": "calc(var(--gutter) - 8px)",
  "gutter-3": "calc(var(--gutter) - 12px)",
  "gutter-3.5": "calc(var(--gutter) - 14px)",
  "gap-double": "calc(var(--gap) * 2)",
  foot: "calc(8px + env(safe-area-inset-bottom))",
  head: "60px", // a list's headline
  words: "clamp(20px, 2.2vw, 36px)", // between its words
  search: "calc(var(--gutter) + 116px)", // and what stands at its end
  tools: "clamp(300px, 8vw + 216px, 380px)",
};

// Sizes of type that no other text has, by their px.
const fixedSizes = {
  zero: ["0px", { lineHeight: "0" }], // takes no room in its line, either
  14: ".875rem",
  16: "1rem",
  19: "1.1875rem",
  22: "1.375rem",
  24: "1.5rem",
  30: "1.875rem",
};

/** numbered makes a scale of numbers: 30 → ".03em" with a divisor of 1000. */
const numbered = (numbers, value) => Object.fromEntries(numbers.map((number) => [number, value(number)]));

// Photo pickers in a row; two-column fields; desktop; all of a list's tools.
const screens = { sm: "560px", md: "768px", lg: "1024px", xl: "1280px" };

const motion = { quick: "160ms", calm: "320ms" };

/** prefixed names values as custom properties: ink → --ink, small → --t-small. */
const prefixed = (values, prefix = "") =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${prefix}${name}`, value]));

/** through gives the theme the custom property in the place of a value. */
const through = (values, prefix = "") =>
  Object.fromEntries(Object.keys(values).map((name) => [name, `var(--${prefix}${name})`]));

const { gutter, gap, tap, header } = spacing;
const families = Object.fromEntries(Object.entries(fontFamily).map(([name, all]) => [name, all.join()]));

const tokens = {
  ...prefixed({ ...colors, ...families, ...motion, gutter, gap, tap, header }),
  ...prefixed(typeSizes, "t-"),
  "--ease": "cubic-bezier(.2, 0, 0, 1)",
};

// The site uses none of these, and each would set its custom properties on every element. Those that it does use are
// declared below without them.
const unused = [
  "backdropFilter",
  "borderSpacing",
  "blur",
  "boxShadow",
  "boxShadowColor",
  "contain",
  "filter",
  "fontVariantNumeric",
  "gradientColorStops",
  "preflight",
  "ringColor",
  "ringWidth",
  "rotate",
  "scale",
  "scrollSnapType",
  "skew",
  "touchAction",
  "transform",
  "translate",
];

// Words of comments and code that Tailwind would take for classes. No element has them.
const words = ["container", "outline", "resize", "table", "transform", "transition", "visible"];

/** withoutNot keeps Tailwind from taking a negation, like !button, for an important class. */
const withoutNot = (code) => code.replaceAll("!", " ");

const small = `@media (min-width: ${screens.lg}) and (max-height: 820px)`;
const desktop = `@media (min-width: ${screens.lg})`;
const halves = `${desktop}, (min-aspect-ratio: 1/1)`; // where those of the home page stand side by side

/** @type {import('tailwindcss').Config} */
export default {
  blocklist: words,
  content: {
    files: [], // those of each sheet: scripts/build.mjs
    transform: Object.fromEntries(["go", "ts", "tsx"].map((kind) => [kind, withoutNot])),
  },
  future: { hoverOnlyWhenSupported: true },
  corePlugins: Object.fromEntries(unused.map((name) => [name, false])),
  theme: {
    screens,
    colors: { transparent: "transparent", current: "currentColor", ...through(colors) },
    spacing: { ...spacing, ...through({ gutter, gap, header }), ...derivedSpacing },
    fontFamily: through(fontFamily),
    fontSize: {
      ...fixedSizes,
      ...Object.fromEntries(
        Object.keys(typeSizes).map((name) => [name, [`var(--t-${name})`, settings[name] ?? {}]]),
      ),
    },
    fontWeight: { light: "300", normal: "400", medium: "500" },
    lineHeight: {
      none: "1",
      tight: "1.2",
      snug: "1.4",
      small: "1.45",
      20: "20px",
      normal: "1.6",
      ...numbered([80, 96, 104, 110, 118, 122, 125, 130, 135, 150], (hundredths) => String(hundredths / 100)),
    },
    letterSpacing: {
      normal: "0em",
      ...numbered([5, 10, 20, 30, 35, 60, 90, 100], (thousandths) => `${thousandths / 1000}em`),
    },
    transitionDuration: { DEFAULT: "var(--quick)", ...through(motion) },
    transitionTimingFunction: { DEFAULT: "var(--ease)", ease: "var(--ease)", linear: "linear" },
    borderRadius: { full: "9999px" }, // the spinner is the only circle
    extend: {
      aria: { current: "current", invalid: "invalid" },
      data: { sending: 'state="sending"', sent: 'state="sent"', broken: "broken" },
      textUnderlineOffset: { DEFAULT: ".28em", close: ".14em", 6: "6px", 7: "7px" },
      outlineOffset: { 3: "3px", 5: "5px", 6: "6px" },
      borderWidth: { 1.25: "1.25px", 1.5: "1.5px" },
      strokeWidth: { 0.4: ".4", 0.6: ".6", 1.25: "1.25", 5: "5" },
      zIndex: numbered([1, 2, 5, 60, 80, 99], String),
      aspectRatio: {
        card: "3 / 4",
        landscape: "3 / 2",
        portrait: "4 / 5",
        thumbnail: "16 / 10",
        wide: "16 / 8",
      },
      objectPosition: numbered([20, 25, 28, 30, 64], (y) => `50% ${y}%`),
      maxWidth: { lede: "34em", prose: "38em", title: "15em" },
      width: { prose: "38em", page: "calc(100% - 2 * var(--gutter))", "1/2-screen": "50vw" },
      height: { viewer: "300px", "viewer-lg": "600px" },
      gridTemplateColumns: {
        ...Object.fromEntries(
          ["1-7", "4-8", "5-7", "7-5", "8-4"].map((shares) => [
            shares,
            shares.replace(/(.)-(.)/, "$1fr $2fr"),
          ]),
        ),
        "rest-auto": "1fr auto",
        "fill-auto": "minmax(0, 1fr) auto", // narrower than its longest word if need be
        entry: "44px minmax(0, 1fr) auto", // of the index of names
        check: "24px 1fr",
      },
      gridColumn: numbered(["1/5", "1/7", "1/8", "1/13", "5/13", "6/12", "7/13", "8/13", "9/13"], String),
      gridRow: numbered(["1/3", "2/4"], String),
      keyframes: {
        run: { from: { transform: "translateX(-100%)" }, to: { transform: "translateX(460%)" } },
        appear: { from: { visibility: "hidden" } },
        grow: { from: { transform: "scaleX(0)" } },
        load: { from: { transform: "scaleX(0)" }, to: { transform: "scaleX(.94)" } },
        wait: { to: { transform: "scaleX(var(--waited, 0))" } },
        pencil: { from: { strokeDashoffset: "1" }, to: { strokeDashoffset: "0" } },
      },
      animation: {
        spin: "spin 900ms linear infinite",
        run: "run 800ms var(--ease) infinite", // the line under the filters
        appear: "appear 1ms 400ms both", // a script may know better in the meantime
        grow: "grow 600ms var(--ease) both",
        load: "load 5000ms cubic-bezier(.1, .7, .3, 1) forwards", // the bar at the top
        wait: "wait 8s linear", // how long undo is offered
        pencil: "pencil 1100ms 500ms cubic-bezier(.5, .1, .2, 1) both",
      },
    },
  },
  plugins: [
    plugin(({ addBase, addUtilities, addVariant, matchUtilities }) => {
      addUtilities({
        ".touch-none": { touchAction: "none" },
        ".wrap-anywhere": { overflowWrap: "anywhere" },
        ".scrollbar-none": { scrollbarWidth: "none" },
        ".lining-nums": { fontVariantNumeric: "lining-nums" },
        ".tabular-nums": { fontVariantNumeric: "lining-nums tabular-nums" },
        ".trim-capitals": { textBox: "trim-both cap alphabetic" },
      });
      // How many columns and rows of its gallery's grid a picture spans (views/masonry.go).
      const counted = (name) => (n) => ({ [`--${name}`]: n });
      const values = numbered(
        [...Array(18).keys()].flatMap((n) => [n, n * 10]),
        String,
      );
      matchUtilities({ cols: counted("cols"), rows: counted("rows"), plus: counted("plus") }, { values });
      matchUtilities({ shadow: (value) => ({ boxShadow: value }) }, { values: { none: "none" } });
      matchUtilities({ rotate: (rotate) => ({ rotate }) }, { values: { 45: "45deg", 90: "90deg" } });
      addVariant("scripted", "[data-mounted] &"); // once its island runs
      addVariant("unscripted", "zed-island:not(:defined) &"); // until the script of islands runs
      addVariant("busy", '[data-busy="list"] &'); // while a list is filtered
      addVariant("touch", "@media (hover: none), (max-width: 767px)"); // where nothing rises on hover
      addVariant("raised", [
        "@media (hover: hover) { .group\\/card:hover & }",
        ".group\\/card:is(:focus-within, :has(:checked)) &",
      ]); // a card that shows its measures
      addVariant("ringed", ".group\\/card:has(:is(h2, h3) a:focus-visible) &"); // a card that has the focus
      addVariant("halves", halves);
      addVariant("low", small); // a small laptop
      addVariant("narrow", "@media screen and (max-width: 1023px)"); // max-lg, but not on paper
      addVariant("flat", "@media (max-height: 500px)"); // a phone on its side, a page at 400 %
      addBase({ "@font-face": faces });
      addBase({
        ":root": { ...tokens, "--card": "3 / 4" },
        // nine-letter words: MODELOS, CRIATIVOS, CREATIVOS
        ":root:lang(pt), :root:lang(es)": { "--t-mast": "min(clamp(2.75rem, 14vw, 5.5rem), 22svh)" },
        [desktop]: { ":root": { "--header": "80px" } },
        // A row of cards with its names is whole on a small laptop.
        [small]: { ":root": { "--card": "4 / 5" }, ":root:has(#filters)": { "--header": "64px" } },
        [halves]: {
          ":root": { "--t-mast": "min(8.4vw, 10rem, 22svh)" },
          ":root:lang(pt), :root:lang(es)": { "--t-mast": "min(7.4vw, 9rem, 22svh)" },
        },
        "html[data-saves]": saving,
        "@media screen and (scripting: enabled)": { "html:has([data-waits])": device },
        "@media (prefers-reduced-motion: reduce)": { ":root": prefixed({ quick: "0ms", calm: "0ms" }) },
      });
    }),
  ],
};

// The design's tokens. Everything else on the site derives from these: the plugin below hands
// them to static/css as custom properties, and utilities are made from the same theme.
import plugin from "tailwindcss/plugin";

const colors = {
  transparent: "transparent",
  current: "currentColor",
  paper: "#ffffff",
  mist: "#f2f2f0", // placeholders, empty frames
  rule: "#d8d8d4", // decorative hairlines only
  line: "#757575", // borders of controls, 4.6:1
  "ink-2": "#575757", // secondary text, 7.2:1
  ink: "#141414", // text, lines, buttons, 18.4:1
  mark: "#a3241b", // the editor's pencil: saved or wrong, 7.7:1
  "on-ink": "#ffffff",
  "on-ink-2": "#b6b6b2", // secondary text on ink, 9.1:1
  "rule-ink": "#3c3c3c",
};

const fontFamily = {
  display: ['"Newsreader Display"', '"Display fallback"', '"Times New Roman"', "serif"], // 26 px and up
  serif: ['"Newsreader Text"', '"Text fallback"', "Georgia", "serif"], // names, ledes: 17–26 px
  sans: ['"Instrument Sans"', '"Sans fallback"', '"Helvetica Neue"', "Arial", "sans-serif"],
};

const fontSize = {
  1: "clamp(2.875rem, 2.1rem + 3.4vw, 5.5rem)",
  2: "clamp(1.75rem, 1.5rem + 1.1vw, 2.5rem)",
  3: "clamp(1.1875rem, 1.1rem + .38vw, 1.5rem)",
  lede: "clamp(1.25rem, 1.1rem + .65vw, 1.625rem)",
  body: "1.0625rem",
  ui: ".9375rem",
  small: ".8125rem",
  label: ".75rem",
};

const spacing = {
  0: "0",
  1: "4px",
  2: "8px",
  3: "12px",
  4: "16px",
  5: "24px",
  6: "32px",
  7: "48px",
  8: "64px",
  9: "96px",
  10: "144px",
  gutter: "clamp(16px, 2.78vw, 40px)",
  gap: "clamp(8px, 1.67vw, 24px)",
  tap: "44px",
};

// Breakpoints: photo pickers in a row, mobile slide picture, two-column fields, desktop.
const screens = { pickers: "560px", slide: "651px", fields: "768px", desktop: "1024px" };

const desktop = "@media (min-width: 1024px)";

const motion = { quick: "160ms", calm: "320ms", fade: "2500ms" };

const custom = {
  ...colors,
  display: fontFamily.display.join(", "),
  serif: fontFamily.serif.join(", "),
  sans: fontFamily.sans.join(", "),
  ...Object.fromEntries(Object.entries(fontSize).map(([name, value]) => ["t-" + name, value])),
  ...Object.fromEntries(
    Object.entries(spacing).map(([name, value]) => [/^\d/.test(name) ? "s-" + name : name, value]),
  ),
  ease: "cubic-bezier(.2, 0, 0, 1)",
  ...motion,
  header: "64px",
  "t-mast": "clamp(3.25rem, 16.4vw, 6.5rem)",
};
const properties = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => ["--" + name, value]));

// The rows that a picture takes in a profile's masonry: 32 to a column's width, and two for the
// gap below (static/css/screens.css, .gallery). The classes come from views/profile.templ.
function masonry() {
  const classes = {};
  for (let rows = 16; rows <= 80; rows++) {
    classes[`.span-${rows}`] = { [desktop]: { gridRow: `span ${rows + 2}` } };
    classes[`.wide-${rows}`] = { [desktop]: { gridColumn: "1 / -1", gridRow: `span ${rows + 2}` } };
  }
  return classes;
}

/** @type {import('tailwindcss').Config} */
export default {
  content: ["./views/**/*.templ", "./islands/**/*.{ts,tsx}"],
  safelist: [{ pattern: /^(span|wide)-\d+$/ }],
  corePlugins: ["display", "margin", "padding", "gap", "gridColumn"],
  theme: { colors, fontFamily, fontSize, spacing, screens, transitionDuration: motion, borderRadius: {} },
  plugins: [
    plugin(({ addBase, addComponents }) => {
      addComponents(masonry());
      addBase({
        ":root": properties(custom),
        // nine-letter words: MODELOS, CRIATIVOS, CREATIVOS
        ":root:lang(pt), :root:lang(es)": { "--t-mast": "clamp(2.75rem, 14vw, 5.5rem)" },
        [desktop]: {
          ":root": { "--header": "80px", "--t-mast": "clamp(4.5rem, 8.4vw, 10rem)" },
          ":root:lang(pt), :root:lang(es)": { "--t-mast": "clamp(4rem, 7.4vw, 9rem)" },
        },
        "@media (prefers-reduced-motion: reduce)": {
          ":root": properties({ quick: "0ms", calm: "0ms", fade: "0ms" }),
        },
      });
    }),
  ],
};

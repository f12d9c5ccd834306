// Builds static/dist: the style sheets (Tailwind), scripts and islands (esbuild), unchanged fonts and images, all under
// hashed names with a Brotli and a gzip copy, and manifest.json for static/static.go: logical name → file.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import esbuild from "esbuild";

const dist = "static/dist";
const development = process.argv.includes("--dev");

// Islands are written for React and shipped with Preact, which is a tenth of the size. The tests also build them with
// React itself: --react=production or --react=development, which reports errors. --react=shipped is Preact.
const option = process.argv.find((arg) => arg.startsWith("--react="))?.slice("--react=".length);
const react = option === "shipped" ? undefined : option;
const preact = {
  react: resolve("scripts/preact.mjs"),
  "react-dom": "preact/compat",
  "react-dom/client": "preact/compat/client",
  "react/jsx-runtime": "preact/jsx-runtime",
};

// Copied as it is, which compresses better than what esbuild minifies.
const htmxEnding = ".esm.min.js";
const htmx = `htmx.org/dist/htmx${htmxEnding}`;

// clean removes the files of earlier builds. It runs last, because the development server serves them until the new
// manifest is written.
function clean(outputs) {
  const current = new Set(Object.keys(outputs).map((path) => basename(path)));
  for (const name of readdirSync(dist)) {
    if (name === ".keep" || name === "manifest.json") continue;
    if (!current.has(name.replace(/\.(br|gz)$/, ""))) rmSync(join(dist, name));
  }
}

// The style sheets, each by the views that it is made of: the classes in them and in their islands, and the styles
// beside them. A page has the sheet that its view names (Layout in views/layout.templ), and no other: what it does not
// need would delay its first paint, and of two the order would matter.
const sheets = {
  home: { views: "home", islands: "islands/carousel/*.tsx" },
  talents: {
    views: "list card heart booker finder near names sheet frames profile walk gallery masonry videos",
    islands: "islands/{composite,gallery,share,videos}/*.tsx,islands/steps.tsx",
  },
  text: { views: "text blog error prose card heart" },
  form: {
    views: "apply contact answers form photos receipt guardian favorites prose card heart",
    islands: "islands/photo-picker/*.tsx,islands/boot/enhance/form/*.ts",
  },
  lineup: { views: "compare lineup" },
  copy: { views: "copy content" },
  inbox: { views: "inbox form receipt prose" },
};
// Every page has these.
const everyPage = "views/ui/*.templ,islands/react.tsx,islands/boot/progress.ts";
const frame = ["static/css/reset", "static/css/base", "views/ui/ui", "views/ui/field"];

/** style builds a style sheet and returns its entry point. */
async function style([name, { views, islands }]) {
  const all = `layout bar ${views}`.split(" ").map((view) => `views/${view}`);
  const classes = [everyPage, ...all.map((view) => `${view}.{templ,go}`), ...(islands ? [islands] : [])];
  const styles = [...frame, ...all].map((path) => `./${path}.css`).filter(existsSync);
  const input = `@import "tailwindcss/base"; ${styles.map((file) => `@import "${file}";`).join(" ")}
    @import "tailwindcss/components"; @import "tailwindcss/utilities";`;
  const output = `static/css/${name}.out.css`;
  const args = ["-c", "tailwind.config.js", "-i", "-", "-o", output, "--no-autoprefixer"];
  const tailwind = promisify(execFile)("node_modules/.bin/tailwindcss", [
    ...args,
    "--content",
    classes.join(),
  ]);
  tailwind.child.stdin.end(input);
  await tailwind;
  return { out: name, in: output };
}

/** bundle builds entry points, which share chunks with each other, and returns what it wrote. */
async function bundle(entryPoints) {
  const { metafile } = await esbuild.build({
    entryPoints,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["safari16.0", "firefox121", "chrome108"], // docs/browsers.md
    minify: !development,
    sourcemap: development && "linked",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    jsx: "automatic",
    alias: { ...(react ? {} : preact), "htmx.org": htmx },
    define: { "process.env.NODE_ENV": JSON.stringify(react ?? "production") },
    loader: {
      [htmxEnding]: "copy",
      ".woff2": "file",
      ".svg": "copy",
      ".png": "copy",
      ".jpg": "copy",
      ".webp": "copy",
    },
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
  });
  return metafile.outputs;
}

/** outputs builds everything. The site's script has its own copy of what it shares with islands, to be one file. */
async function outputs() {
  const styles = await Promise.all(Object.entries(sheets).map(style));
  const islands = readdirSync("islands")
    .map((name) => ({ out: name, in: `islands/${name}/index.tsx` }))
    .filter((entry) => existsSync(entry.in));
  const enhancements = readdirSync("islands/boot/enhance")
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ out: basename(file, ".ts"), in: `islands/boot/enhance/${file}` }));
  const images = readdirSync("static/images").map((name) => ({
    out: basename(name).replace(/\.\w+$/, ""),
    in: `static/images/${name}`,
  }));
  return {
    ...(await bundle([{ out: "site", in: "islands/site.ts" }])),
    ...(await bundle([
      ...styles,
      { out: "print", in: "static/css/print.css" },
      ...(development ? [{ out: "dev", in: "islands/dev.ts" }] : []),
      ...islands,
      ...enhancements,
      ...images,
    ])),
  };
}

function manifest(outputs) {
  const entries = {};
  for (const [path, output] of Object.entries(outputs)) {
    const inputs = Object.keys(output.inputs);
    const source = output.entryPoint ?? (inputs.length === 1 ? inputs[0] : undefined);
    if (!source || path.endsWith(".map") || basename(path).startsWith("chunk-")) continue;
    entries[logicalName(source)] = { file: basename(path) };
  }
  writeFileSync(join(dist, "manifest.json"), JSON.stringify(entries, null, 1));
}

function logicalName(source) {
  const island = source.match(/^islands\/(.+)\/index\.tsx$/);
  if (island) return island[1] + ".js";
  return basename(source).replace(".out.css", ".css").replace(/\.ts$/, ".js");
}

function compress(outputs) {
  for (const name of Object.keys(outputs).map((path) => basename(path))) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const data = readFileSync(join(dist, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: development ? 4 : 11 };
    writeFileSync(join(dist, name + ".br"), brotliCompressSync(data, { params }));
    writeFileSync(join(dist, name + ".gz"), gzipSync(data, { level: 9 }));
  }
}

mkdirSync(dist, { recursive: true });
const built = await outputs();
for (const name of Object.keys(sheets)) rmSync(`static/css/${name}.out.css`);
compress(built);
manifest(built);
clean(built);

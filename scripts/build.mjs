// Builds static/dist: the style sheet (Tailwind), scripts and islands (esbuild), fonts and images
// as they are, all under hashed names with a Brotli and a gzip copy, and manifest.json, which
// static/static.go reads: logical name → file and, for scripts, the chunks to preload.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import esbuild from "esbuild";

const dist = "static/dist";
const development = process.argv.includes("--dev");

// clean removes what an earlier build left. It comes last: until the new manifest is written, the
// development server serves the old files.
function clean({ outputs }) {
  const made = new Set(Object.keys(outputs).map((path) => basename(path)));
  for (const name of readdirSync(dist)) {
    if (name === ".keep" || name === "manifest.json") continue;
    if (!made.has(name.replace(/\.(br|gz)$/, ""))) rmSync(join(dist, name));
  }
}

function styles() {
  const args = ["-c", "tailwind.config.js", "-i", "static/app.css", "-o", "static/css/app.out.css"];
  execFileSync("node_modules/.bin/tailwindcss", args, { stdio: ["ignore", "ignore", "pipe"] });
}

async function bundle() {
  const islands = readdirSync("islands", { withFileTypes: true })
    .filter((entry) => existsSync(`islands/${entry.name}/index.tsx`))
    .map((entry) => ({ out: entry.name, in: `islands/${entry.name}/index.tsx` }));
  const images = readdirSync("static/images").map((name) => ({
    out: basename(name).replace(/\.\w+$/, ""),
    in: `static/images/${name}`,
  }));
  const result = await esbuild.build({
    entryPoints: [
      { out: "app", in: "static/css/app.out.css" },
      { out: "copy", in: "static/css/copy.css" },
      { out: "site", in: "islands/site.ts" },
      { out: "sw", in: "islands/sw.ts" },
      ...(development ? [{ out: "dev", in: "islands/dev.ts" }] : []),
      ...islands,
      ...images,
    ],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: !development,
    sourcemap: development && "linked",
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: { react: "preact/compat", "react-dom": "preact/compat" },
    loader: { ".woff2": "file", ".svg": "copy", ".png": "copy", ".jpg": "copy", ".webp": "copy" },
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
  });
  rmSync("static/css/app.out.css");
  return result.metafile;
}

function manifest({ outputs }) {
  const entries = {};
  for (const [path, output] of Object.entries(outputs)) {
    const inputs = Object.keys(output.inputs);
    const source = output.entryPoint ?? (inputs.length === 1 ? inputs[0] : undefined);
    if (!source || path.endsWith(".map") || basename(path).startsWith("chunk-")) continue;
    const imports = output.imports.filter(({ kind }) => kind === "import-statement");
    entries[logicalName(source)] = {
      file: basename(path),
      imports: imports.length ? imports.map((chunk) => basename(chunk.path)) : undefined,
    };
  }
  writeFileSync(join(dist, "manifest.json"), JSON.stringify(entries, null, 1));
}

function logicalName(source) {
  const island = source.match(/^islands\/(.+)\/index\.tsx$/);
  if (island) return island[1] + ".js";
  return basename(source).replace("app.out.css", "app.css").replace(/\.ts$/, ".js");
}

function compress({ outputs }) {
  for (const name of Object.keys(outputs).map((path) => basename(path))) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const data = readFileSync(join(dist, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: development ? 4 : 11 };
    writeFileSync(join(dist, name + ".br"), brotliCompressSync(data, { params }));
    writeFileSync(join(dist, name + ".gz"), gzipSync(data, { level: 9 }));
  }
}

mkdirSync(dist, { recursive: true });
styles();
const built = await bundle();
compress(built);
manifest(built);
clean(built);

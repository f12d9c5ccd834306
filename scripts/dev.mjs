// The development server: bin/zedcard-dev with DEV=true, restarted after each change, which reloads open pages
// (internal/app/livereload.go). Go code is built anew, templates are generated, scripts and styles are built when they
// change; texts, built files and the content folder are read at the start.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, watch } from "node:fs";

const program = "bin/zedcard-dev";
const debounce = 60; // ms; an editor writes a file in several steps
const env = { CONTENT_DIR: "internal/folder/demo", LOG_LEVEL: "warn", ...process.env, DEV: "true" };

let server;

function run(command, ...args) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  console.log(`${status === 0 ? "✓" : "✗"} ${[command, ...args].join(" ")} (${Date.now() - started} ms)`);
  return status === 0;
}

const assets = () => run("node", "scripts/build.mjs", "--dev");
const templates = (...files) => run("go", "tool", "templ", "generate", "-log-level", "error", ...files);

const build = () => run("go", "build", "-o", program, ".");

function restart() {
  const start = () => {
    server = spawn(program, ["serve"], { stdio: "inherit", env });
  };
  if (!server || server.exitCode !== null) return start();
  server.once("exit", start);
  server.kill("SIGKILL"); // SIGTERM would wait for the open pages
}

// rebuild runs the steps that the changed files need, in the order of their dependencies.
function rebuild(files) {
  const templ = files.filter((file) => file.endsWith(".templ"));
  const code = files.filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  const asset = files.filter(
    (file) => /^(islands|static|tailwind)|\.css$/.test(file) && !/\.go$|\.out\.css$|\/dist\//.test(file),
  );
  if (templ.length) templates(...(templ.length === 1 ? ["-f", templ[0]] : []));
  const read = files.filter((file) => /^i18n\/.*\.json$/.test(file) || file.startsWith(env.CONTENT_DIR));
  if (asset.length || templ.length) assets(); // Tailwind reads the class names in templates
  const built = code.length + templ.length === 0 || build(); // otherwise the old server keeps running
  if (built && code.length + templ.length + asset.length + read.length > 0) restart();
}

const changed = new Set();
let timer;

function onChange(file) {
  changed.add(file);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const files = [...changed];
    changed.clear();
    rebuild(files);
  }, debounce);
}

// Each folder by itself: a recursive watch loses the files that an editor replaces.
const trees = new Set(["handlers", "i18n", "internal", "islands", "static", "views", env.CONTENT_DIR]);
for (const tree of trees) {
  const inside = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const folder of [tree, ...inside.map((entry) => `${entry.parentPath}/${entry.name}`)])
    watch(folder, (_, name) => name && onChange(`${folder}/${name}`));
}
for (const file of readdirSync(".").filter((name) => /\.(go|config\.js)$/.test(name)))
  watch(file, () => onChange(file));
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    server?.kill("SIGKILL");
    process.exit(0);
  });

if (!templates() || !assets() || !build()) process.exit(1);
restart();

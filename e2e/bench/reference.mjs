// Compares bin/zedcard with the build of another commit: processor time of a request, in turns, in one run.
//
//   node e2e/bench/reference.mjs COMMIT [PATH …]
//
// The servers share one core and take turns, wrk has another: absolute figures differ from machine to machine and from
// hour to hour, the ratios of one run hold. Of each path: microseconds of processor time of both builds, and new/old.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [commit, ...asked] = process.argv.slice(2);
const rounds = 5;
const headers = { "Accept-Encoding": "gzip" };

/** build makes the program of the commit, once for each commit. */
function build() {
  const binary = resolve(`.cache/zedcard-${commit}`);
  if (existsSync(binary)) return binary;
  const tree = mkdtempSync(join(tmpdir(), "zedcard-reference-"));
  const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: tree, stdio: "inherit" });
  try {
    const source = execFileSync("git", ["archive", commit], { maxBuffer: 1 << 30 });
    execFileSync("tar", ["x", "-C", tree], { input: source });
    if (readFileSync(join(tree, "package-lock.json"), "utf8") === readFileSync("package-lock.json", "utf8"))
      symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    else run("npm", "ci", "--no-audit", "--no-fund");
    run("node", "scripts/build.mjs");
    if (!existsSync(join(tree, "views/layout_templ.go"))) run("go", "tool", "templ", "generate");
    run("go", "build", "-ldflags", "-s -w", "-o", "zedcard", ".");
    cpSync(join(tree, "zedcard"), binary);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
  return binary;
}

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

async function start(binary) {
  const place = mkdtempSync(join(tmpdir(), "zedcard-bench-"));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env.PATH,
    LISTEN_ADDR: origin.slice("http://".length),
    ADMIN_ADDR: "off",
    DATA_DIR: place,
    DATABASE_URL: `sqlite:${place}/zedcard.db`,
    LOG_LEVEL: "error",
  };
  const child = spawn("taskset", ["-c", "0", binary, "serve"], { env, stdio: "ignore" });
  /** processor is the processor time of the server so far, in seconds. */
  const processor = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100; // clock ticks, which are 100 on Linux
  };
  const server = {
    get: (path) => fetch(origin + path, { headers }).then((answer) => answer.text()),
    /** measure is the microseconds of a request. */
    measure(path) {
      const before = processor();
      const command = ["-c", "1", "wrk", "-t1", "-c32", "-d3s", "-H", "Accept-Encoding: gzip", origin + path];
      const said = execFileSync("taskset", command, { encoding: "utf8" });
      return ((processor() - before) / Number(/(\d+) requests in/.exec(said)[1])) * 1e6;
    },
    stop() {
      child.kill();
      rmSync(place, { recursive: true, force: true });
    },
  };
  for (let tries = 0; ; tries++) {
    if (await server.get("/").catch(() => "")) break;
    if (tries > 150 || child.exitCode !== null) throw new Error(`${binary} does not answer`);
    await sleep(100);
  }
  let before;
  do {
    before = processor();
    await sleep(2000);
  } while (processor() - before > 0.06); // until its pictures are made
  return server;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const cell = (value) => value.toFixed(1).padStart(9);

const servers = [];
try {
  for (const binary of [build(), resolve("bin/zedcard")]) servers.push(await start(binary));
  const [old, current] = servers;
  const profile = /href="(\/models\/\d+\/[a-z0-9-]+)/.exec(await current.get("/models/women"))[1];
  console.log(
    `processor time of a request in µs${" ".repeat(8)}${commit.slice(0, 9).padStart(9)}      new  new/old`,
  );
  for (const path of asked.length ? asked : ["/models/women", "/", profile, "/be-a-model"]) {
    for (const server of servers) for (let i = 0; i < 10; i++) await server.get(path);
    const pairs = Array.from({ length: rounds }, () => [old.measure(path), current.measure(path)]);
    const [a, b] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
    const ratio = median(pairs.map(([before, after]) => after / before));
    console.log(`${path.padEnd(40)}${cell(a)}${cell(b)}${ratio.toFixed(2).padStart(9)}`);
  }
} finally {
  for (const server of servers) server.stop();
}

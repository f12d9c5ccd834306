// sbom.mjs PROGRAM VERSION: the Go modules and npm packages that a program is made of, as CycloneDX. Without a time and
// a serial number, so that the same program has the same list.
import { execFileSync } from "node:child_process";

const [program, version] = process.argv.slice(2);
const run = (command, ...args) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });

const modules = run("go", "version", "-m", program)
  .split("\n")
  .map((line) => line.split("\t"))
  .filter(([, kind]) => kind === "dep")
  .map(([, , name, version]) => ({
    type: "library",
    "bom-ref": `pkg:golang/${name}@${version}`,
    name,
    version,
    purl: `pkg:golang/${name}@${version}`,
  }));
const npm = JSON.parse(
  run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--omit", "dev"),
);

process.stdout.write(
  JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      version: 1,
      metadata: { component: { type: "application", name: "zedcard", version } },
      components: [...modules, ...npm.components],
    },
    null,
    2,
  ) + "\n",
);

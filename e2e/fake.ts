// Both back ends in one server (docs/wire.md) with talents that the test sets, and generated talents with hostile and
// incomplete names, measures and categories.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";

export interface Talent {
  id: string;
  name: string;
  gender?: "woman" | "man";
  cover?: string;
  categories: { id: number; name: string }[];
  height?: string;
  bust?: string;
  waist?: string;
  hips?: string;
  shoes?: string;
  hair?: string;
  eyes?: string;
  book?: { id: string; file: string; width: number; height: number }[];
}

/** What the generator knows about a talent beyond the back end's answer. */
export interface Known {
  letter: string;
  plain: string; // the name as typed without accents
  cm?: number;
  hairFamily?: string;
  eyesFamily?: string;
}

// Name, its letter, and how somebody without accents would type it.
const names: [string, string, string][] = [
  ["Ágata Moreira", "A", "agata moreira"],
  ["Beatriz D'Ávila", "B", "beatriz d'avila"],
  ["Çelik Yılmaz", "C", "celik yilmaz"],
  ["Élodie Marchetti", "E", "elodie marchetti"],
  ["Gisele Conceição", "G", "gisele conceicao"],
  ["Ørjan Åsen", "O", "orjan asen"],
  ["Łucja Wiśniewska", "L", "lucja wisniewska"],
  ["Zoë van der Meer", "Z", "zoe van der meer"],
  ["İpek Şahin", "I", "ipek sahin"],
  ["ana maria silva", "A", "ana maria silva"],
  ["Мария Иванова", "", "мария иванова"],
  ["李小龍", "", "李小龍"],
  ["Noé Brandão", "N", "noe brandao"],
  ["João Pedro", "J", "joao pedro"],
  ["Tomás Falcão", "T", "tomas falcao"],
  ["Sérgio Araújo", "S", "sergio araujo"],
  ["Ñusta Quispe", "N", "nusta quispe"],
  ["Valentín Estevão", "V", "valentin estevao"],
  [
    "Maria Fernanda Cavalcanti de Albuquerque Montenegro",
    "M",
    "maria fernanda cavalcanti de albuquerque montenegro",
  ],
];
const hostile: [string, string, string][] = [
  ["<script>alert(1)</script>", "S", "<script>alert(1)</script>"],
  ['"><img src=x onerror=alert(1)>', "I", '"><img src=x onerror=alert(1)>'],
  ['O\'Neill "Ziggy" & Söhne', "O", 'o\'neill "ziggy" & sohne'],
  ["../../etc/passwd", "E", "../../etc/passwd"],
  ["🦄 Uma", "U", "🦄 uma"],
  ["{{.}} ${name} %s%n", "N", "{{.}} ${name} %s%n"],
  ["A\u0301gata Combining", "A", "agata combining"],
  ["  Spaces   Around  ", "S", "spaces around"],
  ["Supercalifragilisticexpialidocious".repeat(3), "S", "supercalifragilisticexpialidocious".repeat(3)],
];
const hairs: [string, string][] = [
  ["Black", "black"],
  ["Castanho escuro", "brown"],
  ["Auburn", "red"],
  ["Strawberry Blonde", "blonde"],
  ["Grisalho", "grey"],
  ["Bald", "other"],
];
const eyes: [string, string][] = [
  ["Dark Brown", "brown"],
  ["Azul", "blue"],
  ["Green", "green"],
  ["Gray", "grey"],
  ["Hazel", "amber"],
  ["Heterochromia", "other"],
];
const modelCategories: { id: number; name: string }[] = [
  { id: 1911, name: "curve" },
  { id: 1910, name: "fit" },
  { id: 1912, name: "life" },
  { id: 1918, name: "petite" },
  { id: 1921, name: "big and tall" },
  { id: 1920, name: "fluid" },
  { id: 1909, name: "kids" },
  { id: 1931, name: "new faces" },
];
const creativeCategories: { id: number; name: string }[] = [
  { id: 1923, name: "photographer" },
  { id: 1924, name: "make" },
  { id: 1925, name: "stylist" },
  { id: 1940, name: "Influencers" },
];

/** roster generates n talents, always the same ones; their ids are not in the order of the list. */
export function roster(n: number): { talents: Talent[]; known: Map<string, Known> } {
  const known = new Map<string, Known>();
  const talents: Talent[] = [];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let i = 0; i < n; i++) {
    const id = String(1000 + ((i * 7919) % 9001));
    const [name, letter, plain] =
      i % 12 === 5
        ? ["", "", ""]
        : i % 9 === 4
          ? hostile[((i / 9) % hostile.length) | 0]!
          : names[random(names.length)]!;
    const talent: Talent = { id, name: i % 24 === 5 ? "   " : name, categories: [] };
    const facts: Known = { letter, plain };
    if (i % 6 === 3) {
      talent.categories.push({ id: 1881, name: "creative" }, creativeCategories[random(4)]!);
    } else {
      talent.categories.push({ id: 1, name: "models" }, modelCategories[random(8)]!);
      if (random(4) === 0) talent.categories.push(modelCategories[random(8)]!);
    }
    if (talent.categories.some(({ id }) => id === 1909) && random(4) === 0)
      talent.categories.push(random(2) ? { id: 1950, name: "girls" } : { id: 1951, name: "Boys" });
    const gender = ([undefined, "woman", "man", "woman", "man"] as const)[random(5)];
    if (gender) talent.gender = gender;
    if (random(5) > 0) talent.cover = `talents/${id}/cover.jpg`;
    if (random(4) > 0) {
      const cm = 150 + random(50);
      talent.height = [`${cm}`, `${cm} cm`, `${(cm / 100).toFixed(2).replace(".", ",")} m`][random(3)]!;
      facts.cm = cm;
    }
    if (random(4) > 0) talent.waist = String(60 + random(30));
    if (random(3) > 0) [talent.hair, facts.hairFamily] = hairs[random(6)]!;
    if (random(3) > 0) [talent.eyes, facts.eyesFamily] = eyes[random(6)]!;
    known.set(id, facts);
    talents.push(talent);
  }
  return { talents, known };
}

/** BackEnds serves talents. `broken` has the ids whose pictures are missing, `faults` the paths that fail with 500. */
export class BackEnds {
  readonly broken = new Set<string>();
  readonly faults = new Set<string>();
  /** answers has the responses of further paths. */
  readonly answers = new Map<string, unknown>();
  readonly requests: { path: string; body: string }[] = [];
  /** Downloads wait for hold to resolve. */
  hold: Promise<void> = Promise.resolve();
  #server: Server;

  constructor(readonly talents: Talent[]) {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** env are the settings of a site on these back ends. */
  get env(): Record<string, string> {
    return { PANEL_URL: this.url, INTEGRATION_URL: this.url };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    this.requests.push({ path: pathname, body });
    if (this.faults.has(pathname)) return void response.writeHead(500).end();
    if (pathname.startsWith("/storage/")) return this.#picture(pathname, response);
    if (pathname.startsWith("/api/download/")) {
      await this.hold;
      const files = pathname.endsWith("/zip")
        ? (JSON.parse(body) as { talents: unknown[] }).talents
        : ["card"];
      return void response.writeHead(200, { "Content-Type": "application/zip" }).end(zip(files.map(String)));
    }
    const value = this.#value(pathname, searchParams);
    if (value === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  }

  #value(path: string, query: URLSearchParams): unknown {
    switch (path) {
      case "/api/signin":
        return { access_token: "integration" };
      case "/api/login":
        return { token: "panel" };
      case "/api/talents":
        return { data: { data: this.talents, current_page: 1, last_page: 1, total: this.talents.length } };
      case "/api/talents/attributes":
        return { countries: [], hair: [], eyes: [], gender: [] };
      case "/api/talent/profile": {
        const talent = this.talents.find(({ id }) => id === query.get("id"));
        return talent && { data: talent };
      }
      case "/api/slides/home":
      case "/api/social-medias":
        return { data: [] };
    }
    return this.answers.get(path);
  }

  #picture(path: string, response: ServerResponse): void {
    const id = path.split("/")[3] ?? "";
    if (this.broken.has(id)) return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "image/jpeg" }).end(picture);
  }
}

const picture = readFileSync("static/images/sheet-21.jpg");

/** zip makes an uncompressed archive with one small text file for each name. */
function zip(names: string[]): Buffer {
  const entries = names.map((name) => {
    const file = Buffer.from(`${name}.txt`);
    const data = Buffer.from(`card of ${name}`);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt32LE(crc32(data), 10);
    fixed.writeUInt32LE(data.length, 14);
    fixed.writeUInt32LE(data.length, 18);
    fixed.writeUInt16LE(file.length, 22);
    return { file, data, fixed };
  });
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { file, data, fixed } of entries) {
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fixed, file, data]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fixed, position, file]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

// Generated talents with hostile and incomplete names, measures and categories, as the tests of the lists need them.

/** Talent is what the back ends hold of a talent, in the names of internal/agency. */
export interface Talent {
  id: string;
  name: string;
  gender?: "woman" | "man";
  cover?: { file: string };
  categories: { id: number; name: string }[];
  measures: { height?: string; waist?: string; hair?: string; eyes?: string };
}

/** What the generator knows about a talent beyond what the back ends hold. */
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
    const talent: Talent = { id, name: i % 24 === 5 ? "   " : name, categories: [], measures: {} };
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
    if (random(5) > 0) talent.cover = { file: `talents/${id}/cover.jpg` };
    if (random(4) > 0) {
      const cm = 150 + random(50);
      talent.measures.height = [`${cm}`, `${cm} cm`, `${(cm / 100).toFixed(2).replace(".", ",")} m`][
        random(3)
      ]!;
      facts.cm = cm;
    }
    if (random(4) > 0) talent.measures.waist = String(60 + random(30));
    if (random(3) > 0) [talent.measures.hair, facts.hairFamily] = hairs[random(6)]!;
    if (random(3) > 0) [talent.measures.eyes, facts.eyesFamily] = eyes[random(6)]!;
    known.set(id, facts);
    talents.push(talent);
  }
  return { talents, known };
}

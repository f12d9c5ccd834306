// Made-up values for tests of what comes from outside: stored text, addresses, typed text. The seed is fixed, so that a
// failure repeats.

/** generate calls check with made-up values, each from a generator of random numbers below n. */
export function generate(check: (random: (n: number) => number) => void, times = 2_000): void {
  let state = 1;
  const random = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let i = 0; i < times; i++) check(random);
}

type Random = (n: number) => number;

const pieces = [
  ..."09a-_,.:;/?#%&='\"<>{}[]()+ \\\0\n\t",
  ...["é", "٣", "🙂", "\ud800", "\u202e", "__proto__", "null", "true", "-1", "1e999", "9007199254740993"],
];

/** text is a text of up to 8 pieces that parsers stumble over. */
export const text = (random: Random): string =>
  Array.from({ length: random(9) }, () => pieces[random(pieces.length)]!).join("");

/** json is a JSON value, as somebody may have stored it. */
export function json(random: Random, depth = 3): string {
  const parts = () => Array.from({ length: random(5) }, () => json(random, depth - 1));
  switch (random(depth > 0 ? 7 : 5)) {
    case 0:
      return JSON.stringify(text(random));
    case 1:
      return ["0", "-1", "1e999", "-1e999", "1e300", "9007199254740991", "1.5"][random(7)]!;
    case 2:
      return ["null", "true", "false"][random(3)]!;
    case 3:
      return String(random(2 ** 31));
    case 4:
      return text(random); // usually no JSON
    case 5:
      return `[${parts().join()}]`;
    default:
      return `{${parts()
        .map((part) => `${JSON.stringify(text(random) || String(random(2_000)))}:${part}`)
        .join()}}`;
  }
}

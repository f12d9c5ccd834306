// The rules of the talent list, implemented independently of the program from docs/addresses.md: the expected list and
// buttons of a filter state.
import type { Known, Talent } from "./roster";

export interface State {
  board: "models" | "creative";
  gender?: string;
  category?: string;
  subcategory?: string;
  letter?: string;
  q?: string;
  from?: number;
  to?: number;
  hair?: string;
  eyes?: string;
}

const ids: Record<string, number> = {
  fluid: 1920,
  kids: 1909,
  photographer: 1923,
  make: 1924,
  stylist: 1925,
  curve: 1911,
  fit: 1910,
  life: 1912,
  petite: 1918,
  big: 1921,
};
const byName = new Intl.Collator("en", { sensitivity: "accent" });

export const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export class Oracle {
  constructor(
    readonly talents: Talent[],
    readonly known: Map<string, Known>,
  ) {}

  /** click returns the state after a click on the filter button with this data-filter. */
  click(state: State, filter: string): State {
    const { board, letter, q, from, to, hair, eyes } = state;
    const kept = { letter, q, from, to, hair, eyes };
    const [row, value = ""] = filter.split(":");
    if (row === "all") return { board };
    if (row === "gender") return { board, gender: value, ...kept };
    if (row === "category") return { board, category: value, ...kept };
    return { ...state, subcategory: value === "all" ? undefined : value };
  }

  /** filters lists the filter buttons that a state shows, row by row. */
  filters(state: State): string[] {
    const rows =
      state.board === "creative"
        ? ["category:photographer", "category:make", "category:stylist", "category:influencers"]
        : ["gender:woman", "gender:man", "category:fluid", "category:kids"];
    const subcategories =
      state.category === "kids"
        ? ["girls", "boys"]
        : state.gender === "woman"
          ? ["curve", "fit", "life", "petite"]
          : state.gender === "man"
            ? ["big", "fit", "life"]
            : [];
    return [
      "all",
      ...rows,
      ...(subcategories.length ? ["all", ...subcategories] : []).map((name) => `subcategory:${name}`),
    ];
  }

  /** current lists the filter buttons that a state marks as current. */
  current(state: State): string[] {
    const chosen = [
      Object.keys(state).every((key) => key === "board" || !state[key as keyof State]) && "all",
      state.gender && `gender:${state.gender}`,
      state.category && `category:${state.category}`,
      this.filters(state).includes("subcategory:all") && `subcategory:${state.subcategory ?? "all"}`,
    ];
    return chosen.filter((name) => typeof name === "string" && name !== "") as string[];
  }

  /** letters lists the letters with talents, and the chosen one. */
  letters(state: State): string[] {
    const found = this.#matching({ ...state, letter: undefined }).map(({ id }) => this.known.get(id)!.letter);
    const withTalents = new Set([...found, state.letter]);
    return letters.filter((letter) => withTalents.has(letter));
  }

  count(state: State): number {
    return this.#matching(state).length;
  }

  /** list returns the ids of all talents of a state in the order of the screen; those of a letter by name. */
  list(state: State): string[] {
    const found = this.#matching(state);
    const list: Talent[] = [];
    for (let start = 0; start < found.length; start += 3) {
      const block = found.slice(start, start + 3);
      list.push(...((start / 3) % 2 === 1 ? block.reverse() : block));
    }
    if (state.letter) list.sort((a, b) => byName.compare(a.name, b.name));
    return list.map(({ id }) => id);
  }

  #matching(state: State): Talent[] {
    return this.talents.filter((talent) => this.#matches(talent, state));
  }

  #matches(talent: Talent, state: State): boolean {
    const known = this.known.get(talent.id)!;
    const has = (id?: number) => talent.categories.some((category) => category.id === id);
    const named = (name: string) => talent.categories.some((c) => c.name.toLowerCase() === name);
    if (talent.name.trim() === "" || !has(state.board === "models" ? 1 : 1881)) return false;
    if (state.category !== "kids" && has(ids.kids)) return false; // listed apart
    if (state.gender && talent.gender !== state.gender) return false;
    if (
      state.category === "influencers" ? !named("influencers") : state.category && !has(ids[state.category])
    )
      return false;
    if (state.subcategory === "girls" || state.subcategory === "boys") {
      if (!named(state.subcategory) && talent.gender !== (state.subcategory === "girls" ? "woman" : "man"))
        return false;
    } else if (state.subcategory && !has(ids[state.subcategory])) return false;
    if (state.letter && known.letter !== state.letter) return false;
    if (state.q && !` ${known.plain} `.includes(state.q.toLowerCase().trim())) return false;
    if ((state.from || state.to) && known.cm === undefined) return false;
    if (state.from && known.cm! < state.from) return false;
    if (state.to && known.cm! > state.to) return false;
    return (
      (!state.hair || known.hairFamily === state.hair) && (!state.eyes || known.eyesFamily === state.eyes)
    );
  }
}

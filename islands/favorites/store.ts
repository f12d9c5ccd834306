// The favourites in the browser: a JSON object under the local storage key "favorites", from talent id to the time of
// saving in milliseconds. The times are needed for the order, because objects sort numeric keys.

import { idPattern } from "../rules";

const key = "favorites";

let unstored: string | undefined; // the favourites of this document alone, if the storage fails

function read(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(unstored ?? localStorage.getItem(key) ?? "{}");
    if (value && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    return {}; // forbidden, or not ours
  }
  return {};
}

function write(map: Record<string, unknown>): void {
  const text = JSON.stringify(map);
  try {
    localStorage.setItem(key, text);
    unstored = undefined;
  } catch {
    unstored = text; // full or forbidden
  }
  dispatchEvent(new Event(key));
}

const savedAt = (value: unknown) => (typeof value === "number" ? value : 0);

/** ids lists the favourites in the order in which they were saved. */
export function ids(): string[] {
  return Object.entries(read())
    .filter(([id]) => idPattern.test(id)) // other keys are not ours
    .sort(([, a], [, b]) => savedAt(a) - savedAt(b))
    .map(([id]) => id);
}

/**
 * save appends talents; one that is already saved keeps its place. All get new times, because one may be stored after
 * which there is no later one.
 */
export function save(added: string[]): void {
  put([...new Set([...ids(), ...added])]);
}

export function remove(id: string): void {
  const map = read();
  delete map[id];
  write(map);
}

/** put replaces all favourites by these, in this order. */
export function put(all: string[]): void {
  const now = Date.now();
  write(Object.fromEntries(all.map((id, index) => [id, now + index])));
}

/**
 * subscribe calls changed when the favourites have changed: here, in another tab, or while the page was in the
 * back/forward cache.
 */
export function subscribe(changed: () => void): void {
  addEventListener(key, changed);
  addEventListener("storage", (event) => (event.key === key || event.key === null) && changed());
  addEventListener("pageshow", changed);
}

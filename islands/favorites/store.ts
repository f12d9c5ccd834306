// The favourites in the browser: a JSON object under the local storage key "favorites", from talent id to the time of
// saving in milliseconds. The times are needed for the order, because objects sort numeric keys.

const key = "favorites";

let kept: Record<string, unknown> | undefined; // without storage, for this page only

function read(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (value && typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    if (kept) return kept;
  }
  return {};
}

function write(map: Record<string, unknown>): void {
  try {
    localStorage.setItem(key, JSON.stringify(map));
    kept = undefined;
  } catch {
    kept = map; // storage is full or forbidden
  }
  dispatchEvent(new Event(key));
}

const time = (value: unknown) => (typeof value === "number" ? value : 0);

/** ids lists the favourites in the order in which they were saved. */
export function ids(): string[] {
  return Object.entries(read())
    .sort(([, a], [, b]) => time(a) - time(b))
    .map(([id]) => id);
}

/** has reports whether a talent is a favourite. */
export function has(id: string): boolean {
  return Object.hasOwn(read(), id);
}

/** save appends talents; one that is already saved keeps its place. */
export function save(more: string[]): void {
  const map = read();
  let at = Math.max(Date.now(), ...Object.values(map).map((value) => time(value) + 1));
  for (const id of more) if (!Object.hasOwn(map, id)) map[id] = at++;
  write(map);
}

export function remove(id: string): void {
  const map = read();
  delete map[id];
  write(map);
}

/** put replaces all favourites by these, in this order. */
export function put(all: string[]): void {
  const now = Date.now();
  write(Object.fromEntries(all.map((id, at) => [id, now + at])));
}

/**
 * subscribe calls changed when the favourites have changed: here, in another tab, or while the page was in the
 * back/forward cache.
 */
export function subscribe(changed: () => void): () => void {
  const left = new AbortController();
  const { signal } = left;
  const stored = (event: StorageEvent) => (event.key === key || event.key === null) && changed();
  addEventListener(key, changed, { signal });
  addEventListener("storage", stored, { signal });
  addEventListener("pageshow", changed, { signal });
  return () => left.abort();
}

import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { subscribe } from "./store";

/**
 * useSaved reads the store. The first rendering equals the server's, which knows only the session: React asks for it,
 * Preact does not.
 */
export function useSaved<T extends string | number | boolean | undefined>(read: () => T, server: T): T {
  const [hydrated, setHydrated] = useState(false);
  useLayoutEffect(() => setHydrated(true), []);
  const saved = useSyncExternalStore(subscribe, read, () => server);
  return hydrated ? saved : server;
}

import { useLayoutEffect, useState } from "react";
import { subscribe } from "./store";

/** useSaved follows what the store says. The first drawing is the server's, which knows only a session. */
export function useSaved<T>(read: () => T, server: T): T {
  const [value, setValue] = useState(server);
  useLayoutEffect(() => {
    const look = () => setValue(read);
    look();
    return subscribe(look);
  }, []);
  return value;
}

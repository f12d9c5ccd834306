import { useLayoutEffect, useState } from "react";
import { subscribe } from "./store";

/** useSaved subscribes to the store. The first rendering equals the server's, which knows only the session. */
export function useSaved<T>(read: () => T, server: T): T {
  const [value, setValue] = useState(server);
  useLayoutEffect(() => {
    const update = () => setValue(read);
    update();
    return subscribe(update);
  }, []);
  return value;
}

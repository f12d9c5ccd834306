// The number of favourites in the header. It also moves favourites of a session without JavaScript to the browser and
// clears the session.
import { useLayoutEffect } from "react";
import { island } from "../react";
import { useSaved } from "./hook";
import { ids, save } from "./store";

/** The same as countProps in views/card.templ: what a session holds, and the favourites page. */
export interface Props {
  session?: string[];
  page?: string;
}

export function Count({ session, page }: Props) {
  useLayoutEffect(() => {
    if (!session || !page) return;
    save(session);
    const body = new URLSearchParams({ clear: "session" });
    void fetch(page, { method: "POST", body, redirect: "manual" }).catch(() => undefined); // retried on the next page
  }, [session, page]);
  const count = useSaved(() => ids().length, session?.length ?? 0);
  return <span data-count="">{count > 0 ? String(count) : ""}</span>;
}

export default island(Count);

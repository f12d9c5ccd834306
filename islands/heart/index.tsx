// A heart saves a talent to the browser's favourites, or removes them. Without this script it is a button of a form.
import { useSaved } from "../favorites/hook";
import { has, remove, save } from "../favorites/store";
import { island, KeptIcon } from "../react";

/** The same as heartProps in views/card.templ. */
export interface Props {
  id: string;
  label: string;
  saved?: boolean; // in the session
}

export function Heart({ id, label, saved: inSession = false }: Props) {
  const saved = useSaved(() => has(id), inSession);
  return (
    <button
      suppressHydrationWarning // its classes are the server's
      form="hearts"
      name={inSession ? "remove" : "save"}
      value={id}
      aria-pressed={saved}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        // read the store: a click before hydration must not use the first rendering
        if (has(id)) remove(id);
        else save([id]);
      }}
    >
      <KeptIcon />
    </button>
  );
}

export default island(Heart);

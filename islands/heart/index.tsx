// A heart saves a talent in the browser, or takes it out. Without this script it is a button of a form.
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
        // a press that came before the script finds the first drawing
        if (has(id)) remove(id);
        else save([id]);
      }}
    >
      <KeptIcon />
    </button>
  );
}

export default island(Heart);

// Undo restores talents who were removed from the browser's favourites. Without this script it is a button of a form.
import { ids as kept, put } from "../favorites/store";
import { island } from "../react";

/** The same as undoProps in views/favorites.templ. */
export interface Props {
  ids: string[]; // before the removal
  words: string;
}

export function Undo({ ids, words }: Props) {
  return (
    <button
      className="min-h-tap px-2 font-medium underline"
      form="hearts"
      name="restore"
      value={ids.join(",")}
      onClick={(event) => {
        event.preventDefault();
        put([...new Set([...ids, ...kept()])]); // another tab may have saved more
      }}
    >
      {words}
    </button>
  );
}

export default island(Undo);

import { KeptIcon } from "./react";

/** The same as stepWords in views/gallery.templ. */
export interface StepWords {
  previous: string;
  next: string;
}

interface Props {
  words: StepWords;
  count: string; // empty for none
  first: boolean;
  last: boolean;
  go: (by: number) => void;
}

/** Steps are the buttons below a strip. Without a script they are hidden but keep their space; the strip scrolls. */
export function Steps({ words, count, first, last, go }: Props) {
  return (
    <div className="steps">
      <p className="mr-auto tabular-nums" data-count="">
        {count}
      </p>
      <button
        className="icon-button"
        type="button"
        data-step="-1"
        aria-label={words.previous}
        aria-disabled={first || undefined}
        onClick={() => go(-1)}
      >
        <KeptIcon />
      </button>
      <button
        className="icon-button"
        type="button"
        data-step="1"
        aria-label={words.next}
        aria-disabled={last || undefined}
        onClick={() => go(1)}
      >
        <KeptIcon />
      </button>
    </div>
  );
}

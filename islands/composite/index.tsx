// The button of a composite card: it turns while the card is made, saves it, and says so where it
// could not be made. Without this script it is a plain link to the same file.
import type { MouseEvent } from "react";
import { island, KeptIcon, plain, useToast } from "../react";
import { useDownload } from "./download";

/** The same as compositeProps in views/profile.templ. */
export interface Props {
  href: string;
  words: string;
  preparing: string;
  failed: string;
}

export function Composite({ href, words, preparing, failed }: Props) {
  const [said, say] = useToast();
  const { busy, download } = useDownload();

  async function click(event: MouseEvent): Promise<void> {
    if (!plain(event)) return;
    event.preventDefault();
    if (busy) return;
    say(false);
    say((await download(href)) === "failed");
  }

  return (
    <>
      <a
        className="btn btn--wide"
        href={href}
        data-state={busy ? "sending" : "idle"}
        aria-busy={busy || undefined}
        download=""
        onClick={(event) => void click(event)}
      >
        <span className="btn__idle" hidden={busy}>
          <KeptIcon />
          <span>{words}</span>
        </span>
        <span className="btn__sending" hidden={!busy}>
          <i className="spin" />
          <span>{preparing}</span>
        </span>
      </a>
      <p className="toast toast--fixed" role="alert" hidden={!said}>
        {failed}
      </p>
    </>
  );
}

export default island(Composite);

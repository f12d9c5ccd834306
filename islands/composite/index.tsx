// The button of a composite card: it shows a spinner while the card is made, saves it, and shows a message if that
// fails. Without this script it is a plain link to the same file.
import { type MouseEvent, useRef } from "react";
import { toast } from "../boot/toast";
import { isPlain } from "../plain";
import { island, KeptIcon } from "../react";
import { useDownload } from "./download";

/** The same as compositeProps in views/profile.templ. */
export interface Props {
  href: string;
  words: string;
  preparing: string;
  failed: string;
}

export function Composite({ href, words, preparing, failed }: Props) {
  const message = useRef<HTMLParagraphElement>(null);
  const { busy, download } = useDownload();

  async function click(event: MouseEvent): Promise<void> {
    if (!isPlain(event)) return;
    event.preventDefault();
    if (busy) return;
    message.current!.hidden = true;
    if ((await download(href)) === "failed") toast(message.current!);
  }

  return (
    <>
      <a
        className="button button-outlined button-compact w-full"
        href={href}
        data-state={busy ? "sending" : "idle"}
        aria-busy={busy || undefined}
        download=""
        onClick={(event) => void click(event)}
      >
        <span className="inline-flex items-center gap-3" hidden={busy}>
          <KeptIcon />
          <span>{words}</span>
        </span>
        <span className="inline-flex items-center gap-3" hidden={!busy}>
          <i className="spinner flex-none" />
          <span>{preparing}</span>
        </span>
      </a>
      <p className="toast" role="alert" ref={message} hidden>
        {failed}
      </p>
    </>
  );
}

export default island(Composite);

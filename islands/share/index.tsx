// "Share" opens the system's share sheet if there is one, and otherwise copies the address. Without this script, or if
// neither is allowed, it is a mailto link with the address.
import { type MouseEvent, useRef } from "react";
import { toast } from "../boot/toast";
import { isPlain } from "../plain";
import { island, KeptIcon } from "../react";
import { shared } from "./shared";

/** The same as shareProps in views/profile.templ. */
export interface Props {
  letter: string; // mailto:
  address: string;
  title: string;
  words: string;
  copied: string;
}

export function Share({ letter, address, title, words, copied }: Props) {
  const message = useRef<HTMLParagraphElement>(null);

  async function share(event: MouseEvent): Promise<void> {
    if (!isPlain(event)) return;
    event.preventDefault();
    if (await shared(address, title, letter)) toast(message.current!);
  }

  return (
    <>
      <a className="action" href={letter} onClick={(event) => void share(event)}>
        <KeptIcon />
        <span>{words}</span>
      </a>
      <p className="toast" role="status" ref={message} hidden>
        {copied}
      </p>
    </>
  );
}

export default island(Share);

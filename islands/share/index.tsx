// "Share" opens the system's share sheet if there is one, and otherwise copies the address. Without this script, or if
// neither is allowed, it is a mailto link with the address.
import type { MouseEvent } from "react";
import { isPlain } from "../plain";
import { island, KeptIcon, Toast, useToast } from "../react";
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
  const [toastShown, showToast] = useToast();

  async function share(event: MouseEvent): Promise<void> {
    if (!isPlain(event)) return;
    event.preventDefault();
    if (await shared(address, title, letter)) showToast(true);
  }

  return (
    <>
      <a className="action" href={letter} onClick={(event) => void share(event)}>
        <KeptIcon />
        <span>{words}</span>
      </a>
      <Toast role="status" hidden={!toastShown}>
        {copied}
      </Toast>
    </>
  );
}

export default island(Share);

// The actions of a shortlist: keep, enquire, share, download with progress, clear. Without this script they
// are links and buttons of forms.
import { type MouseEvent, useState } from "react";
import { useDownload } from "../composite/download";
import { put, save } from "../favorites/store";
import { Icon, island, isPlainClick, Toast } from "../react";
import { shared } from "../share/shared";

/** The same as toolsProps in views/favorites.templ. */
export interface Props {
  ids: string[];
  foreign: boolean; // somebody else's list
  page: string; // the visitor's own
  composites: string;
  address: string; // of a page that shows this list to anybody
  contact: string;
  icons: string; // address of the sprite
  words: Record<
    "keep" | "download" | "preparing" | "failed" | "share" | "copied" | "enquiry" | "clear",
    string
  >;
}

export function Tools({ ids, foreign, page, composites, address, contact, icons, words }: Props) {
  const [message, setMessage] = useState("");
  const { busy, fraction, download } = useDownload();

  function keep(event: MouseEvent): void {
    event.preventDefault();
    save(ids);
    location.assign(page);
  }

  async function fetchAll(event: MouseEvent): Promise<void> {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    if (busy) return;
    setMessage("");
    if ((await download(composites)) === "failed") setMessage(words.failed);
  }

  async function share(event: MouseEvent): Promise<void> {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const url = new URL(address, location.href).href;
    if (await shared(url, document.title, url)) setMessage(words.copied);
  }

  function clearAll(event: MouseEvent): void {
    event.preventDefault();
    put([]);
  }

  return (
    <>
      <div className="tools">
        {foreign && (
          <button className="action tool" form="hearts" name="keep" value={ids.join(",")} onClick={keep}>
            <Icon href={`${icons}#heart`} />
            <span>{words.keep}</span>
          </button>
        )}
        <a className="action tool" href={contact} suppressHydrationWarning>
          <Icon href={`${icons}#mail`} />
          <span>{words.enquiry}</span>
        </a>
        {!foreign && (
          <a
            className="action tool"
            href={address}
            data-share=""
            data-hx-boost="false"
            onClick={(event) => void share(event)}
          >
            <Icon href={`${icons}#link`} />
            <span>{words.share}</span>
          </a>
        )}
        <a
          className="action tool"
          href={composites}
          download=""
          data-download=""
          data-state={busy ? "sending" : undefined}
          onClick={(event) => void fetchAll(event)}
        >
          <Icon href={`${icons}#down`} />
          <span>
            {busy ? `${words.preparing} ${fraction > 0 ? `${Math.floor(fraction * 100)} %` : ""}` : words.download}
          </span>
        </a>
        {!foreign && (
          <button className="action tool" form="hearts" name="clear" value="all" onClick={clearAll}>
            <Icon href={`${icons}#close`} />
            <span>{words.clear}</span>
          </button>
        )}
      </div>
      <Toast role="status">{message}</Toast>
    </>
  );
}

export default island(Tools);

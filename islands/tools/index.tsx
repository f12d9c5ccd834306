// The tools of a shortlist: keep, download with progress, share, send, compare, clear. Without this
// script they are links and buttons of forms.
import { type MouseEvent, useState } from "react";
import { useDownload } from "../composite/download";
import { clear, save } from "../favorites/store";
import { Icon, island, plain } from "../react";
import { shared } from "../share/shared";

/** The same as toolsProps in views/favorites.templ. */
export interface Props {
  ids: string[];
  foreign: boolean; // somebody else's list
  page: string; // the visitor's own
  composites: string;
  address: string; // that shows this list to anyone
  contact: string;
  compare: string;
  icons: string; // address of the sprite
  words: Record<
    "keep" | "download" | "preparing" | "failed" | "share" | "copied" | "enquiry" | "compare" | "clear",
    string
  >;
}

export function Tools({ ids, foreign, page, composites, address, contact, compare, icons, words }: Props) {
  const [said, say] = useState("");
  const { busy, part, download } = useDownload();

  function keep(event: MouseEvent): void {
    event.preventDefault();
    save(ids);
    location.assign(page);
  }

  async function fetchAll(event: MouseEvent): Promise<void> {
    if (!plain(event)) return;
    event.preventDefault();
    if (busy) return;
    say("");
    if ((await download(composites)) === "failed") say(words.failed);
  }

  async function share(event: MouseEvent): Promise<void> {
    if (!plain(event)) return;
    event.preventDefault();
    const url = new URL(address, location.href).href;
    if (await shared(url, document.title, url)) say(words.copied);
  }

  function clearAll(event: MouseEvent): void {
    event.preventDefault();
    clear();
  }

  return (
    <>
      <div className="tools">
        {foreign && (
          <button className="act" form="hearts" name="keep" value={ids.join(",")} onClick={keep}>
            <Icon href={`${icons}#heart`} />
            <span>{words.keep}</span>
          </button>
        )}
        <a
          className="act"
          href={composites}
          download=""
          data-download=""
          data-state={busy ? "sending" : undefined}
          onClick={(event) => void fetchAll(event)}
        >
          <Icon href={`${icons}#down`} />
          <span>{busy ? `${words.preparing} ${part > 0 ? `${Math.floor(part * 100)} %` : ""}` : words.download}</span>
        </a>
        {!foreign && (
          <a
            className="act"
            href={address}
            data-share=""
            data-hx-boost="false"
            onClick={(event) => void share(event)}
          >
            <Icon href={`${icons}#link`} />
            <span>{words.share}</span>
          </a>
        )}
        <a className="act" href={contact}>
          <Icon href={`${icons}#mail`} />
          <span>{words.enquiry}</span>
        </a>
        {ids.length > 1 && (
          <form id="compare" method="get" action={compare}>
            <button className="act">
              <Icon href={`${icons}#compare`} />
              <span>{words.compare}</span>
            </button>
          </form>
        )}
        {!foreign && (
          <button className="act" form="hearts" name="clear" value="all" onClick={clearAll}>
            <Icon href={`${icons}#close`} />
            <span>{words.clear}</span>
          </button>
        )}
      </div>
      <p className="toast toast--fixed shortlist__said" role="status">
        {said}
      </p>
    </>
  );
}

export default island(Tools);

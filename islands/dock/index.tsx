// The shortlist at the foot of the screen: faces, count, actions, and undo for a talent who was just removed. Its
// content comes from the server; if the server does not answer three times there is no dock.
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useSaved } from "../favorites/hook";
import { ids } from "../favorites/store";
import { Picture, type PictureProps } from "../picture";
import { Icon, island, prefersReducedMotion, isPlainClick } from "../react";
import { shared } from "../share/shared";
import { type Notice, NoticeLine } from "./notice";
import { usePlace } from "./place";

/** The same as dockProps in views/dock.templ. */
export interface Props {
  from: string;
}

/** The same as Dock in views/dock.templ. */
interface DockContent {
  count: number;
  faces: { name: string; address: string; picture: PictureProps }[];
  favorites: string;
  address: string; // of a page that shows this list to anybody
  compare?: string;
  contact: string;
  removed?: string;
  icons: string; // address of the sprite
  words: Record<"title" | "count" | "share" | "copied" | "compare" | "enquiry" | "hide" | "undo", string>;
}

const slideIn = { duration: 320, easing: "cubic-bezier(.2, 0, 0, 1)" };
const slideOut = { duration: 160 };
const retryDelays = [2000, 8000]; // ms
const faceWidth = 40; // px, with the gap
const rowClasses = "flex items-center gap-2 px-gutter py-2 max-lg:pb-foot lg:gap-5";
const facesClasses = "faces flex min-h-7 min-w-0 flex-1 items-center gap-1";

export function Dock({ from }: Props) {
  const saved = useSaved<string | undefined>(() => ids().join(), undefined);
  const lastSaved = useRef<string>(undefined);
  const strip = useRef<HTMLElement>(null);
  const [content, setContent] = useState<DockContent>();
  const [notice, setNotice] = useState<Notice>();
  const [hidden, hide] = useHidden(saved);

  useEffect(() => {
    if (saved === undefined) return undefined;
    const before = lastSaved.current ?? saved;
    lastSaved.current = saved;
    if (saved === "" && before === "") return setContent(undefined);
    const controller = new AbortController();
    const query = new URLSearchParams({ ids: saved, before });
    void request(`${from}?${query.toString()}`, controller.signal).then((response) => {
      if (controller.signal.aborted) return; // a newer request has replaced this one
      leaveNotice(strip.current);
      setContent(response);
      setNotice(response?.removed ? { words: response.removed, before: split(before) } : undefined);
    });
    return () => controller.abort();
  }, [from, saved]);

  const isShown = content !== undefined && !hidden && (content.count > 0 || notice !== undefined);
  usePlace(strip, isShown);
  useLayoutEffect(() => {
    if (isShown && !prefersReducedMotion())
      strip.current!.animate({ transform: ["translateY(100%)", "none"] }, slideIn);
  }, [isShown]);
  const [list, faces] = useFaces(isShown && content.count > 0);
  const desktop = useDesktop();
  if (!isShown) return null;
  const { words, icons } = content;

  async function share(event: MouseEvent): Promise<void> {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const url = new URL(content!.address, location.href).href;
    if (await shared(url, words.title, url)) setNotice({ words: words.copied });
  }

  async function close(): Promise<void> {
    if (!prefersReducedMotion())
      await strip.current!.animate({ transform: ["none", "translateY(100%)"] }, slideOut).finished;
    hide();
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }

  const noticeLine = notice && (
    <NoticeLine
      key={notice.words + notice.before?.join()}
      notice={notice}
      wide={desktop}
      onEnd={() => (leaveNotice(strip.current), setNotice(undefined))}
    >
      {notice.before && (
        <button
          className="min-h-tap px-2 font-medium underline"
          form="hearts"
          name="restore"
          value={notice.before.join(",")}
        >
          {words.undo}
        </button>
      )}
    </NoticeLine>
  );
  return (
    <aside
      ref={strip}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-ink bg-paper print:hidden"
      aria-label={words.title}
    >
      {!desktop && noticeLine}
      {content.count > 0 ? (
        <div className={rowClasses}>
          <p className="font-serif text-3 max-lg:sr-only">{words.title}</p>
          <div ref={list} className={facesClasses}>
            {(faces > 0 ? content.faces.slice(-faces) : []).map(({ name, address, picture }) => (
              <a
                key={address}
                className="block flex-none bg-mist"
                style={{ width: "36px", height: "48px" }}
                href={address}
                aria-label={name}
              >
                {picture.src && <Picture {...picture} sizes="36px" />}
              </a>
            ))}
            <a
              className="py-2 pl-2 font-serif text-3 lining-nums no-underline hover:underline"
              href={content.favorites}
              aria-label={words.count}
            >
              {content.count}
            </a>
            {desktop && noticeLine}
          </div>
          <a className="action max-md:hidden" href={content.address} onClick={(event) => void share(event)}>
            <Icon href={`${icons}#link`} />
            <span>{words.share}</span>
          </a>
          {content.compare && (
            <a className="action" href={content.compare}>
              <span>{words.compare}</span>
            </a>
          )}
          <a className="button button-filled min-h-tap px-4.5 py-0" href={content.contact}>
            {words.enquiry}
          </a>
          <button
            className="-mr-3 grid size-tap flex-none place-items-center"
            aria-label={words.hide}
            onClick={() => void close()}
          >
            <Icon href={`${icons}#close`} />
          </button>
        </div>
      ) : (
        desktop && <div className="flex px-gutter py-2">{noticeLine}</div>
      )}
    </aside>
  );
}

/** leaveNotice keeps the focus in the dock when the focused element is removed. */
function leaveNotice(strip: HTMLElement | null): void {
  if (strip?.querySelector("[data-notice]")?.contains(document.activeElement))
    strip.querySelector<HTMLElement>("a")?.focus();
}

const split = (ids: string) => ids.split(",").filter(Boolean);

/** request asks the server again after a failure; undefined if it has not answered in the end, or when aborted. */
async function request(address: string, signal: AbortSignal): Promise<DockContent | undefined> {
  for (const delay of [0, ...retryDelays]) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (signal.aborted) return undefined;
    const response = await fetch(address, { signal }).catch(() => undefined);
    if (response?.ok) return response.json().catch(() => undefined) as Promise<DockContent | undefined>;
  }
  return undefined;
}

/** useFaces counts the faces that fit beside the actions. */
function useFaces(hasList: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const [faces, setFaces] = useState(0);
  useLayoutEffect(() => {
    if (!list.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const count = list.current?.querySelector<HTMLElement>("a:last-of-type");
      if (!count) return;
      setFaces(Math.max(0, Math.floor((entry!.contentRect.width - count.offsetWidth) / faceWidth)));
    });
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [hasList]);
  return [list, faces] as const;
}

function useDesktop(): boolean {
  const media = () => matchMedia("(min-width: 1024px)");
  const [desktop, setDesktop] = useState(() => media().matches);
  useEffect(() => {
    const query = media();
    const update = () => setDesktop(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return desktop;
}

const key = "dock-hidden"; // in the session storage: the ids that the dock was hidden with

/** useHidden reports whether the visitor has hidden the dock, which reappears with the next heart. */
function useHidden(saved = ""): [hidden: boolean, hide: () => void] {
  const [hiddenIds, setHiddenIds] = useState(() => {
    try {
      return split(sessionStorage.getItem(key) ?? "");
    } catch {
      return []; // no storage
    }
  });
  useEffect(() => {
    const ids = split(saved);
    if (ids.length > 0) setHiddenIds((hidden) => hidden.filter((id) => ids.includes(id)));
  }, [saved]);
  useEffect(() => {
    try {
      sessionStorage.setItem(key, hiddenIds.join());
    } catch {
      return; // no storage: hidden on this page only
    }
  }, [hiddenIds]);
  const ids = split(saved);
  return [hiddenIds.length > 0 && ids.every((id) => hiddenIds.includes(id)), () => setHiddenIds(ids)];
}

export default island(Dock);

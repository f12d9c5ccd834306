// A photo picker shows the chosen photo: on a canvas, because the content security policy blocks pictures that are not
// the site's. It converts HEIC to JPEG if the browser can read it, shows at once the errors that the server would find,
// and accepts dropped photos.
import { type CSSProperties, type DragEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Upload } from "../form/upload";
import { Icon, island, Kept } from "../react";
import type { Advice } from "./advice";
import { kindIn, preview } from "./canvas";
import { shortName } from "./name";

/** The same as pickerProps in views/photos.templ. */
export interface Props {
  name: string; // of the input
  title: string;
  hint: string;
  kept?: { id: string; file: string }; // the photo that the server keeps
  fault?: string;
  icons: string; // address of the sprite
  words: Record<
    "choose" | "change" | "type" | "large" | "heic" | "good" | "another" | "keep" | Advice,
    string
  >;
  // {name} is the file's, {n} the pixels of its long side
}

interface Chosen {
  file: File;
  picture?: ImageBitmap;
  side?: number; // px
  advice?: Advice;
}

// The outline stays on top of the photo, in white; the canvas is in the normal flow.
const overPhoto = {
  display: "block",
  position: "absolute",
  inset: 0,
  opacity: 0.62,
  "--ink": "#fff",
  "--line": "#fff",
} as CSSProperties;
const said = "flex gap-2 py-2 text-small/snug";
const action = "py-[6px] text-small/snug underline";

const largest = 10 * 1024 * 1024;
const heic = /\.(heic|heif)$/i;

export function PhotoPicker({ name, title, hint, kept, fault: refused, icons, words }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const [fault, setFault] = useState(refused ?? "");
  const [over, setOver] = useState(false);
  const [sent, setSent] = useState<"reading" | number>(); // of the photo, from 0 to 1
  const latest = useRef<File>(undefined);

  function clear(fault = ""): void {
    latest.current = undefined;
    input.current!.value = "";
    setChosen(undefined);
    setFault(fault);
  }

  async function take(): Promise<void> {
    let file = input.current!.files?.[0];
    latest.current = file;
    if (!file) return clear();
    setFault("");
    setSent("reading");
    try {
      const [kind, picture] = await Promise.all([
        kindIn(file),
        createImageBitmap(file).catch(() => undefined),
      ]);
      if (latest.current !== file) return; // another was chosen in the meantime
      if (!kind || kind === "heic") {
        const iphone = kind || heic.test(file.name) || /heic|heif/.test(file.type);
        const jpeg =
          iphone &&
          picture &&
          (await coached(({ asJPEG }) => asJPEG(picture, file!.name.replace(heic, ".jpg"))));
        if (!jpeg) return clear(iphone ? words.heic : file.size > largest ? words.large : words.type);
        latest.current = file = jpeg;
        put(jpeg);
      }
      if (file.size > largest) return clear(words.large);
      const better = picture && (await coached(({ coach }) => coach(file!, kind, picture)));
      if (latest.current !== file) return;
      if (better && better.file !== file) put((latest.current = better.file));
      setChosen({ picture, ...(better ?? { file }) });
    } finally {
      setSent(undefined);
    }
  }

  /** keep is the visitor's decision to use a photo that could be better. */
  function keep(): void {
    setChosen({ ...chosen!, side: undefined, advice: undefined });
    input.current!.focus();
  }

  function put(file: File): void {
    const files = new DataTransfer();
    files.items.add(file);
    input.current!.files = files.files;
  }

  function drag(event: DragEvent): void {
    event.preventDefault();
    setOver(event.type === "dragover" || event.type === "dragenter");
    const file = event.type === "drop" && event.dataTransfer?.files[0];
    if (!file) return;
    put(file);
    void take();
  }

  useEffect(() => {
    if (input.current!.files?.length) void take(); // chosen before this script was loaded
    const form = input.current!.form!;
    const left = new AbortController();
    const { signal } = left;
    form.addEventListener("reset", () => queueMicrotask(clear), { signal });
    const upload = (event: Event) => setSent((event as CustomEvent<Upload>).detail?.[name]);
    form.addEventListener("upload", upload, { signal });
    return () => left.abort();
  }, []);

  const file = chosen?.file.name ?? kept?.file;
  return (
    <div
      id={`${name}-field`}
      className={
        "group/pick relative block scroll-mt-6 cursor-pointer max-sm:grid max-sm:grid-cols-[42%_1fr] " +
        "max-sm:grid-rows-[repeat(5,auto)_1fr] max-sm:gap-x-4 max-sm:[&>:not(:first-child)]:col-[2] " +
        "max-sm:[&>:not(:first-child)]:min-w-0"
      }
      data-over={over || undefined}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      {/* its classes are the server's */}
      <div suppressHydrationWarning>
        <Kept
          className="contents"
          hidden={kept !== undefined && chosen?.picture !== undefined}
          style={chosen?.picture && overPhoto}
        />
        {chosen?.picture && <Preview picture={chosen.picture} />}
        {sent !== undefined && <progress className="upload" value={sent === "reading" ? undefined : sent} />}
      </div>
      <label className="block cursor-pointer font-serif text-3 tracking-normal sm:pt-3" htmlFor={name}>
        {title}
      </label>
      <p className={kept ? action : `${action} hidden [[data-mounted]>*>&]:block`}>
        {file ? words.change.replace("{name}", shortName(file)) : words.choose}
      </p>
      <div role="status">
        {chosen?.side && (
          <p className={chosen.advice ? `${said} border-t border-ink` : said}>
            <Icon href={`${icons}#${chosen.advice ? "warn" : "check"}`} size="size-[17px]" />
            <span>
              {words[chosen.advice ?? "good"].replace(
                "{n}",
                chosen.side.toLocaleString(document.documentElement.lang),
              )}
            </span>
          </p>
        )}
        {chosen?.advice && (
          <p className="flex flex-wrap gap-x-5 text-small/snug underline">
            <span className="py-[10px]">{words.another}</span>
            <button type="button" className="relative z-[2] py-[10px] underline" onClick={keep}>
              {words.keep}
            </button>
          </p>
        )}
      </div>
      <input
        ref={input}
        className={
          "z-[1] min-h-[31px] w-full cursor-pointer text-small [[data-mounted]>*>&]:absolute " +
          "[[data-mounted]>*>&]:inset-0 [[data-mounted]>*>&]:size-full [[data-mounted]>*>&]:opacity-0"
        }
        type="file"
        id={name}
        name={name}
        accept="image/png,image/gif,image/jpeg"
        required={!kept}
        aria-invalid={fault ? "true" : undefined}
        aria-describedby={fault ? `${name}-error ${name}-hint` : `${name}-hint`}
        onChange={() => void take()}
      />
      {kept && <input type="hidden" name={`${name}_kept`} value={kept.id} />}
      {fault && (
        <p
          className="flex gap-2 text-small/snug font-medium text-mark"
          id={`${name}-error`}
          role={fault === refused ? undefined : "alert"}
        >
          <Icon href={`${icons}#warn`} size="size-[17px]" />
          <span>{fault}</span>
        </p>
      )}
      <p className="block text-small/small text-ink-2" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/**
 * coached is the photo after the coach, whose script is loaded with the first one. If that fails, the original is
 * used.
 */
async function coached<Made>(
  make: (coach: typeof import("./coach")) => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await make(await import("./coach"));
  } catch {
    return undefined;
  }
}

/** The middle of a photo, in the frame's 3:4 and in twice the frame's pixels at most. */
function Preview({ picture }: { picture: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    preview(picture, canvas.current!);
    return () => picture.close();
  }, [picture]);
  return <canvas ref={canvas} width={600} height={800} />;
}

export default island(PhotoPicker);

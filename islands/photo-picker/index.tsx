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
const adviceClasses = "flex gap-2 py-2 text-small/snug";

const maxBytes = 10 * 1024 * 1024;
const heic = /\.(heic|heif)$/i;

export function PhotoPicker({ name, title, hint, kept, fault: serverFault, icons, words }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const [fault, setFault] = useState(serverFault ?? "");
  const [draggedOver, setDraggedOver] = useState(false);
  const [progress, setProgress] = useState<"reading" | number>(); // the uploaded fraction, from 0 to 1
  const latestFile = useRef<File>(undefined);

  function clear(fault = ""): void {
    latestFile.current = undefined;
    input.current!.value = "";
    setChosen(undefined);
    setFault(fault);
  }

  async function readFile(): Promise<void> {
    let file = input.current!.files?.[0];
    latestFile.current = file;
    if (!file) return clear();
    setFault("");
    setProgress("reading");
    try {
      const [kind, picture] = await Promise.all([
        kindIn(file),
        createImageBitmap(file).catch(() => undefined),
      ]);
      if (latestFile.current !== file) return; // another was chosen in the meantime
      if (!kind || kind === "heic") {
        const isHEIC = kind || heic.test(file.name) || /heic|heif/.test(file.type);
        const jpeg =
          isHEIC &&
          picture &&
          (await withCoach(({ asJPEG }) => asJPEG(picture, file!.name.replace(heic, ".jpg"))));
        if (!jpeg) return clear(isHEIC ? words.heic : file.size > maxBytes ? words.large : words.type);
        latestFile.current = file = jpeg;
        setInputFile(jpeg);
      }
      if (file.size > maxBytes) return clear(words.large);
      const result = picture && (await withCoach(({ coach }) => coach(file!, kind, picture)));
      if (latestFile.current !== file) return;
      if (result && result.file !== file) setInputFile((latestFile.current = result.file));
      setChosen({ picture, ...(result ?? { file }) });
    } finally {
      setProgress(undefined);
    }
  }

  /** keepPhoto dismisses the advice. */
  function keepPhoto(): void {
    setChosen({ ...chosen!, side: undefined, advice: undefined });
    input.current!.focus();
  }

  function setInputFile(file: File): void {
    const files = new DataTransfer();
    files.items.add(file);
    input.current!.files = files.files;
  }

  function onDrag(event: DragEvent): void {
    event.preventDefault();
    setDraggedOver(event.type === "dragover" || event.type === "dragenter");
    const file = event.type === "drop" && event.dataTransfer?.files[0];
    if (!file) return;
    setInputFile(file);
    void readFile();
  }

  useEffect(() => {
    if (input.current!.files?.length) void readFile(); // chosen before this script was loaded
    const form = input.current!.form!;
    const controller = new AbortController();
    const { signal } = controller;
    form.addEventListener("reset", () => queueMicrotask(clear), { signal });
    const onUpload = (event: Event) => setProgress((event as CustomEvent<Upload>).detail?.[name]);
    form.addEventListener("upload", onUpload, { signal });
    return () => controller.abort();
  }, []);

  const file = chosen?.file.name ?? kept?.file;
  return (
    <div
      id={`${name}-field`}
      className="photo-picker relative block scroll-mt-6 cursor-pointer"
      data-over={draggedOver || undefined}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
    >
      {/* the server sets its classes */}
      <div suppressHydrationWarning>
        <Kept
          className="contents"
          hidden={kept !== undefined && chosen?.picture !== undefined}
          style={chosen?.picture && overPhoto}
        />
        {chosen?.picture && <Preview picture={chosen.picture} />}
        {progress !== undefined && (
          <progress className="upload" value={progress === "reading" ? undefined : progress} />
        )}
      </div>
      <label className="block cursor-pointer font-serif text-3 tracking-normal sm:pt-3" htmlFor={name}>
        {title}
      </label>
      <p className={kept ? "photo-choose" : "photo-choose photo-choose-script"}>
        {file ? words.change.replace("{name}", shortName(file)) : words.choose}
      </p>
      <div role="status">
        {chosen?.side && (
          <p className={chosen.advice ? `${adviceClasses} border-t border-ink` : adviceClasses}>
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
            <span className="py-2.5">{words.another}</span>
            <button type="button" className="relative z-2 py-2.5 underline" onClick={keepPhoto}>
              {words.keep}
            </button>
          </p>
        )}
      </div>
      <input
        ref={input}
        className="photo-input"
        type="file"
        id={name}
        name={name}
        accept="image/png,image/gif,image/jpeg"
        required={!kept}
        aria-invalid={fault ? "true" : undefined}
        aria-describedby={fault ? `${name}-error ${name}-hint` : `${name}-hint`}
        onChange={() => void readFile()}
      />
      {kept && <input type="hidden" name={`${name}_kept`} value={kept.id} />}
      {fault && (
        <p className="error-text" id={`${name}-error`} role={fault === serverFault ? undefined : "alert"}>
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
 * withCoach loads the coach's script, with the first photo, and returns what the callback makes with it; undefined if
 * that fails.
 */
async function withCoach<Result>(
  use: (coach: typeof import("./coach")) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await use(await import("./coach"));
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

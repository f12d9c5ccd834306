// A photo picker shows the chosen photo: on a canvas, because the content security policy blocks pictures that are not
// the site's. It shows at once the errors that the server would find, and accepts dropped photos.
import { type DragEvent, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import type { Upload } from "../boot/enhance/form/upload";
import { Icon, island, Kept } from "../react";
import type { Advice } from "./advice";
import { preview } from "./canvas";
import { shortName } from "./name";
import { type Fault, type Photo, readPhoto } from "./read";

/** The same as pickerProps in views/photos.templ. */
export interface Props {
  name: string; // of the input
  title: string;
  hint: string;
  kept?: { id: string; file: string }; // the photo that the server keeps
  fault?: string;
  icons: string; // address of the sprite
  words: Record<"choose" | "change" | "good" | "keep" | Fault | Advice, string>;
  // {name} is the file's, {n} the pixels of its long side
}

interface State {
  photo?: Photo; // the chosen one
  fault?: string;
  progress?: "reading" | number; // the uploaded fraction, from 0 to 1
  over: boolean; // a photo is dragged over the picker
}

/** update is the reducer: it applies a change. */
const update = (state: State, change: Partial<State>): State => ({ ...state, ...change });

const bodyPhoto = "image_2"; // of somebody who stands

export function PhotoPicker({ name, title, hint, kept, fault: serverFault, icons, words }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [{ photo, fault, progress, over }, change] = useReducer(update, { fault: serverFault, over: false });
  const latest = useRef<File>(undefined);
  // What is sent. The input keeps the chosen file, which the browser brings back.
  const prepared = useRef<File>(undefined);
  const actions = useRef({ read, clear });
  useLayoutEffect(() => {
    actions.current = { read, clear };
  });

  function clear(fault?: string): void {
    latest.current = prepared.current = undefined;
    input.current!.value = "";
    change({ photo: undefined, fault });
  }

  async function read(): Promise<void> {
    const file = input.current!.files?.[0];
    latest.current = file;
    if (!file) return clear(input.current!.dataset.lost === undefined ? undefined : words.gone);
    delete input.current!.dataset.lost;
    change({ fault: undefined, progress: "reading" });
    const result = await readPhoto(file);
    if (latest.current !== file) return; // another was chosen in the meantime
    change({ progress: undefined });
    if (typeof result === "string") return clear(words[result]);
    prepared.current = result.file;
    const { picture } = result;
    const isWide = picture !== undefined && picture.width > picture.height;
    change({ photo: isWide && name === bodyPhoto ? { ...result, advice: "sideways" } : result });
  }

  /** keepPhoto dismisses the advice. */
  function keepPhoto(): void {
    change({ photo: { ...photo!, side: undefined, advice: undefined } });
    input.current!.focus();
  }

  function setInputFile(file: File): void {
    const files = new DataTransfer();
    files.items.add(file);
    input.current!.files = files.files;
  }

  function onDrag(event: DragEvent): void {
    event.preventDefault();
    change({ over: event.type === "dragover" || event.type === "dragenter" });
    const file = event.type === "drop" && event.dataTransfer?.files[0];
    if (!file) return;
    setInputFile(file);
    void read();
  }

  useEffect(() => {
    const element = input.current!;
    // Chosen before this script was loaded, brought back by the browser, or lost with a reload (boot/enhance/form).
    if (element.files?.length || element.dataset.lost !== undefined) void actions.current.read();
    const controller = new AbortController();
    const { signal } = controller;
    element.form!.addEventListener("reset", () => queueMicrotask(() => actions.current.clear()), {
      signal,
    });
    element.form!.addEventListener(
      "formdata",
      ({ formData }) => prepared.current && formData.set(name, prepared.current),
      { signal },
    );
    const onUpload = (event: Event) => change({ progress: (event as CustomEvent<Upload>).detail?.[name] });
    element.form!.addEventListener("upload", onUpload, { signal });
    return () => controller.abort();
  }, [name]);

  const file = photo?.file.name ?? kept?.file;
  return (
    <div
      id={`${name}-field`}
      className="photo-picker relative scroll-mt-6 cursor-pointer"
      data-over={over || undefined}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
    >
      {/* the server sets its classes */}
      <div suppressHydrationWarning>
        <Kept className="contents" hidden={photo?.picture !== undefined} />
        {photo?.picture && <Preview picture={photo.picture} />}
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
        {photo?.side && <Coaching side={photo.side} advice={photo.advice} {...{ icons, words, keepPhoto }} />}
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
        onChange={() => void read()}
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

interface CoachingProps extends Pick<Props, "icons" | "words"> {
  side: number;
  advice?: Advice;
  keepPhoto: () => void;
}

/** Coaching says that a photo is good, or what would be better. */
function Coaching({ side, advice, icons, words, keepPhoto }: CoachingProps) {
  return (
    <>
      <p
        className={
          advice ? "flex gap-2 border-t border-ink py-2 text-small/snug" : "flex gap-2 py-2 text-small/snug"
        }
      >
        <Icon href={`${icons}#${advice ? "warn" : "check"}`} size="size-[17px]" />
        <span>
          {words[advice ?? "good"].replace("{n}", side.toLocaleString(document.documentElement.lang))}
        </span>
      </p>
      {advice && (
        <button type="button" className="relative z-2 py-2.5 text-small/snug underline" onClick={keepPhoto}>
          {words.keep}
        </button>
      )}
    </>
  );
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

// A photo picker shows what was chosen: on a canvas, because the content security policy keeps
// pictures out that are not the site's. It turns an iPhone's HEIC into JPEG where the browser can read
// it, says at once what the server would say later, and takes a photo that is dropped on it.
import type { Mount } from "../boot/island";
import type { Upload } from "../form/upload";
import { kindOf, type Kind } from "./kind";
import { shortName } from "./name";

interface Texts {
  choose: string;
  change: string;
  type: string;
  large: string;
  heic: string;
}

const largest = 10 * 1024 * 1024;
const heic = /\.(heic|heif)$/i;

const picker: Mount<Texts> = (root, texts) => {
  const pick = root.querySelector<HTMLElement>(".pick")!;
  const frame = root.querySelector<HTMLElement>(".pick__frame")!;
  const action = root.querySelector<HTMLElement>(".pick__do")!;
  const input = root.querySelector<HTMLInputElement>("input[type=file]")!;
  const drawn = [...frame.childNodes]; // the drawing, or the photo that waits on the server
  const words = action.textContent;
  const progress = document.createElement("progress");
  const gone = new AbortController();
  const { signal } = gone;
  let latest: File | undefined;

  function clear(): void {
    input.value = "";
    frame.replaceChildren(...drawn);
    action.textContent = words;
  }

  // say shows what is wrong at the photo, in the place where the server would.
  function say(text: string): void {
    pick.querySelector(".field__error")?.remove();
    pick.classList.toggle("is-error", text !== "");
    if (!text) {
      input.removeAttribute("aria-invalid");
      input.setAttribute("aria-describedby", input.id + "-hint");
      return;
    }
    const fault = document.createElement("p");
    fault.className = "field__error";
    fault.id = input.id + "-error";
    fault.role = "alert";
    fault.textContent = text;
    pick.querySelector(".pick__hint")!.before(fault);
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", `${fault.id} ${input.id}-hint`);
  }

  async function take(): Promise<void> {
    let file = input.files?.[0];
    latest = file;
    if (!file) return clear();
    say("");
    frame.append(progress);
    try {
      const [kind, picture] = await Promise.all([
        kindIn(file),
        createImageBitmap(file).catch(() => undefined),
      ]);
      if (latest !== file) return; // another was chosen meanwhile
      if (!kind || kind === "heic") {
        const iphone = kind || heic.test(file.name) || /heic|heif/.test(file.type);
        const jpeg = iphone && picture && (await asJPEG(file, picture));
        if (!jpeg) {
          clear();
          return say(iphone ? texts.heic : file.size > largest ? texts.large : texts.type);
        }
        latest = file = jpeg;
        put(jpeg);
      }
      if (file.size > largest) {
        clear();
        return say(texts.large);
      }
      action.textContent = texts.change.replace("{name}", shortName(file.name));
      frame.replaceChildren(...(picture ? [preview(picture)] : drawn));
      picture?.close();
    } finally {
      progress.remove();
    }
  }

  function put(file: File): void {
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
  }

  input.addEventListener("change", () => void take(), { signal });
  if (input.files?.length) void take(); // chosen before this script came

  const over = (event: DragEvent) => {
    event.preventDefault();
    pick.classList.toggle("is-over", event.type === "dragover" || event.type === "dragenter");
  };
  for (const type of ["dragenter", "dragover", "dragleave"] as const)
    pick.addEventListener(type, over, { signal });
  pick.addEventListener(
    "drop",
    (event) => {
      over(event);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      put(file);
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { signal },
  );

  const form = input.form!;
  form.addEventListener("reset", () => queueMicrotask(clear), { signal });
  form.addEventListener(
    "upload",
    (event) => {
      const share = (event as CustomEvent<Upload>).detail?.[input.name];
      if (share === undefined) return progress.remove();
      progress.value = share;
      if (!progress.isConnected) frame.append(progress);
    },
    { signal },
  );
  return () => gone.abort();
};
export default picker;

// kindIn is the file's kind; one that can't be read is of none.
async function kindIn(file: File): Promise<Kind | undefined> {
  const head = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  return kindOf(new Uint8Array(head));
}

// preview is the middle of the photo in the frame's 3:4, in twice the frame's pixels at most.
function preview(picture: ImageBitmap): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = 600;
  canvas.height = 800;
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas
    .getContext("2d")!
    .drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  return canvas;
}

async function asJPEG(file: File, picture: ImageBitmap): Promise<File | undefined> {
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")!.drawImage(picture, 0, 0);
  const data = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92));
  return data ? new File([data], file.name.replace(heic, ".jpg"), { type: "image/jpeg" }) : undefined;
}

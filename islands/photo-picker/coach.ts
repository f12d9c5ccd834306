// What happens to a photo once it is chosen: it is looked at, and made as large as an agency has use for before it goes
// up the line. Three originals of a phone are 15 MB, and this is a tenth of it.
import { type Advice, adviceOn } from "./advice";
import type { Kind } from "./kind";

export interface Coached {
  file: File; // what goes up
  side: number; // px, its long side
  advice?: Advice;
}

const longest = 2400; // px of the long side
const looked = 800; // px of it are enough to judge a photo by
const quality = 0.85;

export async function coach(file: File, kind: Kind | undefined, picture: ImageBitmap): Promise<Coached> {
  const side = Math.max(picture.width, picture.height);
  const context = drawn(picture, Math.min(side, looked));
  const advice = adviceOn(context.getImageData(0, 0, context.canvas.width, context.canvas.height), side);
  const smaller = side > longest && kind !== "gif" ? await reduced(file, picture) : undefined;
  if (!smaller || smaller.size >= file.size) return { file, side, advice };
  return { file: smaller, side: longest, advice };
}

/** asJPEG is the picture as a JPEG file of this name, undefined where the browser can't make one. */
export function asJPEG(picture: ImageBitmap, name: string): Promise<File | undefined> {
  return saved(drawn(picture, Math.max(picture.width, picture.height)), name, 0.92);
}

async function reduced(file: File, picture: ImageBitmap): Promise<File | undefined> {
  const context = drawn(picture, longest, (await hasP3(file)) ? "display-p3" : "srgb");
  return saved(context, file.name.replace(/\.png$/i, ".jpg"), quality);
}

async function saved({ canvas }: CanvasRenderingContext2D, name: string, quality: number) {
  const data = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", quality));
  return data ? new File([data], name, { type: "image/jpeg" }) : undefined;
}

/** hasP3 reads the name of the colour profile, which stands near the beginning in letters of one byte or two. */
async function hasP3(file: File): Promise<boolean> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, 1 << 16).arrayBuffer());
  return head.replaceAll("\0", "").includes("Display P3");
}

/** drawn is a picture on a canvas with this long side; what was transparent is white, as paper is. */
function drawn(picture: ImageBitmap, side: number, colorSpace: PredefinedColorSpace = "srgb") {
  const scale = side / Math.max(picture.width, picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d", { colorSpace })!;
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context;
}

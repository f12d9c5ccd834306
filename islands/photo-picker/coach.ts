// Checks a chosen photo and scales it down to the size that an agency needs before it is uploaded. Three originals of a
// phone are 15 MB; scaled down they are a tenth of it.
import { type Advice, adviceOn } from "./advice";
import type { Kind } from "./kind";

export interface Coached {
  file: File; // the file to upload
  side: number; // px, its long side
  advice?: Advice;
}

const maxSide = 2400; // px of the long side; the server takes more, from browsers that don't scale
const checkedSide = 800; // px of the long side, enough to check a photo
const quality = 0.85;

export async function coach(file: File, kind: Kind | undefined, picture: ImageBitmap): Promise<Coached> {
  const side = Math.max(picture.width, picture.height);
  const context = drawScaled(picture, Math.min(side, checkedSide));
  const advice = adviceOn(context.getImageData(0, 0, context.canvas.width, context.canvas.height), side);
  const smaller = side > maxSide && kind !== "gif" ? await scaleDown(file, picture) : undefined;
  if (!smaller || smaller.size >= file.size) return { file, side, advice };
  return { file: smaller, side: maxSide, advice };
}

/** asJPEG converts a picture to a JPEG file of this name; undefined if the browser can't. */
export function asJPEG(picture: ImageBitmap, name: string): Promise<File | undefined> {
  return toJPEGFile(drawScaled(picture, Math.max(picture.width, picture.height)), name, 0.92);
}

async function scaleDown(file: File, picture: ImageBitmap): Promise<File | undefined> {
  const context = drawScaled(picture, maxSide, (await hasP3(file)) ? "display-p3" : "srgb");
  return toJPEGFile(context, file.name.replace(/\.png$/i, ".jpg"), quality);
}

async function toJPEGFile({ canvas }: CanvasRenderingContext2D, name: string, quality: number) {
  const data = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", quality));
  return data ? new File([data], name, { type: "image/jpeg" }) : undefined;
}

/** hasP3 looks for the colour profile's name, which is near the beginning in one-byte or two-byte characters. */
async function hasP3(file: File): Promise<boolean> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, 1 << 16).arrayBuffer());
  return head.replaceAll("\0", "").includes("Display P3");
}

/** drawScaled draws a picture on a new canvas with this longer side, on white. */
function drawScaled(picture: ImageBitmap, side: number, colorSpace: PredefinedColorSpace = "srgb") {
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

import { kindOf, type Kind } from "./kind";

/** kindIn is the file's kind; undefined if it can't be read. */
export async function kindIn(file: File): Promise<Kind | undefined> {
  const head = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  return kindOf(new Uint8Array(head));
}

/** preview draws the middle of a picture, filling the canvas. */
export function preview(picture: ImageBitmap, canvas: HTMLCanvasElement): void {
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas
    .getContext("2d")!
    .drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
}

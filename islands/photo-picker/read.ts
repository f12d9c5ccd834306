// Reads a chosen photo: its bytes, which may be gone when the form is sent (from a cloud, or deleted meanwhile).
// Converts HEIC to JPEG if the browser can read it, and finds the faults that the server would.
import { maxPhotoBytes } from "../rules";
import { kindIn } from "./canvas";
import type { Coached } from "./coach";

const heic = /\.(heic|heif)$/i;

/** Photo is a chosen photo; file is what is uploaded. Without a picture the browser can't show it. */
export interface Photo extends Partial<Coached> {
  file: File;
  picture?: ImageBitmap;
}

/** Fault is a reason for which the server would refuse a photo. */
export type Fault = "type" | "large" | "heic" | "unreadable" | "gone";

const maxReadBytes = 5 * maxPhotoBytes; // larger ones are no photos; they are scaled down before they are sent

export async function readPhoto(chosen: File): Promise<Photo | Fault> {
  if (chosen.size > maxReadBytes) return "large";
  const bytes = await chosen.arrayBuffer().catch(() => undefined);
  if (!bytes?.byteLength) return "unreadable";
  let file = new File([bytes], chosen.name, { type: chosen.type });
  const [kind, picture] = await Promise.all([
    kindIn(file),
    createImageBitmap(file).catch(() => undefined), // the browser can't read it
  ]);
  if (!kind || kind === "heic") {
    const isHEIC = kind || heic.test(file.name) || /heic|heif/.test(file.type);
    const jpeg =
      isHEIC &&
      picture &&
      (await withCoach(({ asJPEG }) => asJPEG(picture, file.name.replace(heic, ".jpg"))));
    if (!jpeg) return isHEIC ? "heic" : file.size > maxPhotoBytes ? "large" : "type";
    file = jpeg;
  }
  if (file.size > maxPhotoBytes) return "large";
  const coached = picture && (await withCoach(({ coach }) => coach(file, kind, picture)));
  return { picture, ...(coached ?? { file }) };
}

/**
 * withCoach loads the coach's script, with the first photo, and returns what the callback makes with it; undefined if
 * that fails.
 */
async function withCoach<Result>(
  work: (coach: typeof import("./coach")) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work(await import("./coach"));
  } catch {
    return undefined;
  }
}

import { useEffect, useRef, useState } from "react";

const timeout = 60_000; // ms; a card takes one second, a dozen take ten

type End = "saved" | "failed" | "left";

/**
 * useDownload downloads and saves a zip. busy is true meanwhile, part is the received fraction from 0 to 1.
 * Unmounting the component cancels it.
 */
export function useDownload() {
  const [part, setPart] = useState<number>();
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  async function download(href: string): Promise<End> {
    setPart(0);
    const { signal } = left.current;
    try {
      const answer = await fetch(href, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) });
      const type = answer.headers.get("Content-Type") ?? "";
      if (!answer.ok || !answer.body || !type.startsWith("application/zip"))
        throw new Error(`answered ${answer.status}`);
      keep(await whole(answer, setPart), fileName(answer.headers.get("Content-Disposition") ?? ""));
      return "saved";
    } catch {
      return signal.aborted ? "left" : "failed";
    } finally {
      setPart(undefined);
    }
  }

  return { busy: part !== undefined, part: part ?? 0, download };
}

/** whole reads an answer to its end and reports the received fraction. */
async function whole(answer: Response, progress: (part: number) => void): Promise<Blob> {
  const total = Number(answer.headers.get("Content-Length"));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = answer.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (total > 0) progress(size / total);
  }
  if (total > 0 && size !== total) throw new Error("cut short");
  return new Blob(parts, { type: "application/zip" });
}

function keep(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading the file
}

/** fileName is the name in a Content-Disposition header, preferably from filename* (RFC 6266). */
export function fileName(header: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (extended) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? "composite.zip";
}

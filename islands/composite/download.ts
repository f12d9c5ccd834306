import { useEffect, useRef, useState } from "react";

const timeout = 60_000; // ms; a card takes one second, a dozen take ten

type Outcome = "saved" | "failed" | "cancelled";

/**
 * useDownload downloads and saves a zip. busy is true meanwhile, fraction is the received part from 0 to 1.
 * Unmounting the component cancels it.
 */
export function useDownload() {
  const [fraction, setFraction] = useState<number>();
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current.abort();
  }, []);

  async function download(href: string): Promise<Outcome> {
    setFraction(0);
    const { signal } = controller.current;
    const request = new AbortController(); // AbortSignal.any is missing in phones of 2023
    signal.addEventListener("abort", () => request.abort());
    const timer = setTimeout(() => request.abort(), timeout);
    try {
      const response = await fetch(href, { signal: request.signal });
      const type = response.headers.get("Content-Type") ?? "";
      if (!response.ok || !response.body || !type.startsWith("application/zip"))
        throw new Error(`status ${response.status}`);
      saveFile(
        await readAll(response, setFraction),
        fileName(response.headers.get("Content-Disposition") ?? ""),
      );
      return "saved";
    } catch {
      return signal.aborted ? "cancelled" : "failed";
    } finally {
      clearTimeout(timer);
      setFraction(undefined);
    }
  }

  return { busy: fraction !== undefined, fraction: fraction ?? 0, download };
}

/** readAll reads a response to its end and reports the received fraction. */
async function readAll(response: Response, onProgress: (fraction: number) => void): Promise<Blob> {
  const total = Number(response.headers.get("Content-Length"));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (total > 0) onProgress(size / total);
  }
  if (total > 0 && size !== total) throw new Error("incomplete response");
  return new Blob(parts, { type: "application/zip" });
}

function saveFile(file: Blob, name: string): void {
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

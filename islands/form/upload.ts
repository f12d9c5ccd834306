// A fetch that reports the progress of the upload, which the browsers' own does not. It dispatches "upload" events on
// the form with the uploaded fraction of each file input by its name, for the pickers.

export type Upload = Record<string, number> | undefined;

/** upload is the fetch with which htmx sends the form. */
export function upload(form: HTMLFormElement): typeof fetch {
  return (address, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init!.method!, address as string | URL);
      for (const [name, value] of Object.entries(init!.headers as Record<string, string>))
        request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", ({ loaded }) =>
        form.dispatchEvent(new CustomEvent<Upload>("upload", { detail: shares(form, loaded) })),
      );
      request.addEventListener("load", () => {
        const { status } = request;
        const answer = new Response(request.responseText || null, {
          status,
          headers: headersOf(request.getAllResponseHeaders()),
        });
        Object.defineProperty(answer, "url", { value: request.responseURL });
        resolve(answer);
      });
      request.addEventListener("error", () => reject(new TypeError("not sent")));
      request.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      init!.signal!.addEventListener("abort", () => request.abort());
      request.send(init!.body as FormData | URLSearchParams);
    });
}

/** shares is the uploaded fraction of each file, in order, after a number of bytes. */
export function shares(form: HTMLFormElement, sent: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const input of form.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    const size = input.files?.[0]?.size;
    if (!size) continue;
    found[input.name] = Math.max(0, Math.min(1, sent / size));
    sent -= size;
  }
  return found;
}

function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.trim().split("\r\n")) {
    const [name, ...value] = line.split(": ");
    if (name && value.length) headers.append(name, value.join(": "));
  }
  return headers;
}

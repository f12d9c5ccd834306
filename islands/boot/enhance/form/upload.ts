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
        form.dispatchEvent(
          new CustomEvent<Upload>("upload", { detail: uploadedFractions(init!.body as FormData, loaded) }),
        ),
      );
      request.addEventListener("load", () => {
        const { status } = request;
        const response = new Response(request.responseText || null, {
          status,
          headers: headersOf(request.getAllResponseHeaders()),
        });
        Object.defineProperty(response, "url", { value: request.responseURL });
        resolve(response);
      });
      request.addEventListener("error", () => reject(new TypeError("not sent")));
      request.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      init!.signal!.addEventListener("abort", () => request.abort());
      request.send(init!.body as FormData);
    });
}

/** uploadedFractions returns the fraction of each file of a form after some uploaded bytes: files are sent in order. */
export function uploadedFractions(body: FormData, uploaded: number): Record<string, number> {
  const fractions: Record<string, number> = {};
  for (const [name, value] of body) {
    if (typeof value === "string" || !value.size) continue;
    fractions[name] = Math.max(0, Math.min(1, uploaded / value.size));
    uploaded -= value.size;
  }
  return fractions;
}

function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.trim().split("\r\n")) {
    const [name, ...value] = line.split(": ");
    if (name && value.length) headers.append(name, value.join(": "));
  }
  return headers;
}

// The favourites page's tools: the link to share goes to the device's own sharing or to the
// clipboard, and the composites come with progress and a sentence where they don't.

/** use does what the pressed link of a tool stands for. */
export function use(link: HTMLAnchorElement): void {
  void ("share" in link.dataset ? share(link) : download(link));
}

function say(text: string): void {
  const said = document.querySelector("#shortlist [role=status].toast");
  if (said) said.textContent = text;
}

async function share(link: HTMLAnchorElement): Promise<void> {
  const touch = matchMedia("(hover: none)").matches;
  try {
    if (touch && navigator.share) await navigator.share({ title: document.title, url: link.href });
    else {
      await navigator.clipboard.writeText(link.href);
      say(link.dataset.share ?? "");
    }
  } catch (error) {
    if ((error as Error).name !== "AbortError") location.assign(link.href); // the address to copy by hand
  }
}

async function download(link: HTMLAnchorElement): Promise<void> {
  if (link.dataset.state === "sending") return;
  const word = link.querySelector("span");
  const idle = word?.textContent ?? "";
  const label = (text: string) => word && (word.textContent = text);
  link.dataset.state = "sending";
  label(link.dataset.busy ?? "");
  say("");
  try {
    const answer = await fetch(link.href);
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    const file = await whole(answer, (part) => label(`${link.dataset.busy} ${Math.floor(part * 100)} %`));
    keep(file, fileName(answer.headers.get("Content-Disposition") ?? ""));
  } catch {
    say(link.dataset.failed ?? "");
  } finally {
    delete link.dataset.state;
    label(idle);
  }
}

/** whole reads an answer to its end and tells which part of it is there. */
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

function fileName(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? "composites.zip";
}

function keep(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

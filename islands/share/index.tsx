// "Share" opens the system's own sheet where there is one, and copies the address otherwise.
// Without this script, and where neither is allowed, it is a letter with the address.
import { toast } from "../toast";

export default function mount(root: HTMLElement): () => void {
  const link = root.querySelector<HTMLAnchorElement>("a")!;
  const copied = root.querySelector<HTMLElement>(".toast")!;
  const left = new AbortController();

  async function share(): Promise<void> {
    const { address: url = location.href, title } = link.dataset;
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches)
        return await navigator.share({ url, title });
      await navigator.clipboard.writeText(url);
      toast(copied);
    } catch (error) {
      if ((error as Error).name !== "AbortError") location.href = link.href; // the visitor didn't close the sheet
    }
  }

  link.addEventListener(
    "click",
    (event) => {
      event.preventDefault();
      void share();
    },
    { signal: left.signal },
  );
  return () => left.abort();
}

// Four talents stand side by side at most: a fifth tick is taken back, and the page says why. Without this script the
// server compares the first four, and names who is left out.
import type { Mount } from "../boot/island";

const most = 4; // views.MaxCompared

const choice: Mount = (root) => {
  const gone = new AbortController();
  root.addEventListener(
    "change",
    ({ target }) => {
      const full = root.querySelectorAll("[name=ids]:checked").length > most;
      if (full) (target as HTMLInputElement).checked = false;
      const words = root.querySelector<HTMLElement>("[data-full]")!;
      words.textContent = full ? words.dataset.full! : "";
    },
    { signal: gone.signal },
  );
  return Promise.resolve({ update() {}, unmount: () => gone.abort() });
};

export default choice;

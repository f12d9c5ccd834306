// At most four talents are compared: a fifth checkbox is unchecked again with a message. Without this script the server
// compares the first four, and names those left out.
import type { Mount } from "../boot/island";

const maxCompared = 4; // views.MaxCompared

const choice: Mount = (root) => {
  const gone = new AbortController();
  root.addEventListener(
    "change",
    ({ target }) => {
      const full = root.querySelectorAll("[name=ids]:checked").length > maxCompared;
      if (full) (target as HTMLInputElement).checked = false;
      const words = root.querySelector<HTMLElement>("[data-full]")!;
      words.textContent = full ? words.dataset.full! : "";
    },
    { signal: gone.signal },
  );
  return Promise.resolve({ update() {}, unmount: () => gone.abort() });
};

export default choice;

// At most four talents are compared: a fifth checkbox is unchecked again with a message. Without this script the server
// compares the first four, and names those left out.
import { maxCompared } from "../../rules";
import type { Mount } from "../island";

const choice: Mount = (root) => {
  const controller = new AbortController();
  root.addEventListener(
    "change",
    ({ target }) => {
      const tooMany = root.querySelectorAll("[name=ids]:checked").length > maxCompared;
      if (tooMany) (target as HTMLInputElement).checked = false;
      const message = root.querySelector<HTMLElement>("[data-full]")!;
      message.textContent = tooMany ? message.dataset.full! : "";
    },
    { signal: controller.signal },
  );
  return Promise.resolve({ update() {}, unmount: () => controller.abort() });
};

export default choice;

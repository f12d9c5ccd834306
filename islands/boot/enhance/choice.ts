// Says how many talents are chosen. At most four are compared: a fifth checkbox is unchecked again with a message.
// Without this script the server compares the first four, and names those left out.
import { maxCompared } from "../../rules";
import type { Mount } from "../island";

/** The same as choiceProps in views/favorites.templ. */
interface Props {
  of?: string; // the ids of a shortlist
}

const choice: Mount<Props> = (root) => {
  const form = root.querySelector("form")!;
  const message = form.querySelector<HTMLElement>("[data-words]")!;
  const controller = new AbortController();
  const { signal } = controller;

  function update(box?: HTMLInputElement): void {
    const boxes = [...form.elements].filter((element) => element.matches("[name=ids]:checked"));
    const tooMany = boxes.length > maxCompared;
    if (tooMany && box) box.checked = false;
    message.textContent = tooMany
      ? message.dataset.full!
      : message.dataset.words!.replace("{n}", String(boxes.length));
  }
  document.addEventListener(
    "change",
    ({ target }) => {
      const box = target as HTMLInputElement;
      if (box.form === form) update(box);
    },
    { signal },
  );
  document.addEventListener("htmx:after:swap", () => update(), { signal });
  update();
  return Promise.resolve({
    update({ of }) {
      if (of) form.querySelector<HTMLInputElement>("[name=of]")!.value = of;
    },
    unmount: () => controller.abort(),
  });
};

export default choice;

// Shows how many frames of a contact sheet are marked. Without this script the page shows the session's number.
import type { Mount } from "../island";
import { has, subscribe } from "../../favorites/store";

/** The same as markedProps in views/sheet.templ. */
interface Props {
  words: string; // with {n}
}

const marked: Mount<Props> = (root, { words }) => {
  const update = () => {
    const frames = [...document.querySelectorAll<HTMLElement>("#board [data-talent]")];
    const n = frames.filter(({ dataset }) => has(dataset.talent!)).length;
    root.querySelector("p")!.textContent = words.replace("{n}", String(n));
  };
  const unsubscribe = subscribe(update);
  document.addEventListener("htmx:after:swap", update);
  update();
  return Promise.resolve({
    update(next) {
      ({ words } = next);
      update();
    },
    unmount() {
      unsubscribe();
      document.removeEventListener("htmx:after:swap", update);
    },
  });
};

export default marked;

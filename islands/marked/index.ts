// Shows how many frames of a contact sheet are marked. Without this script the page shows the session's number.
import type { Mount } from "../boot/island";
import { has, subscribe } from "../favorites/store";

/** The same as markedProps in views/sheet.templ. */
interface Props {
  words: string; // with {n}
}

const marked: Mount<Props> = (root, { words }) => {
  const count = () => {
    const frames = [...document.querySelectorAll<HTMLElement>("#board [data-talent]")];
    const n = frames.filter(({ dataset }) => has(dataset.talent!)).length;
    root.querySelector("p")!.textContent = words.replace("{n}", String(n));
  };
  const unsubscribe = subscribe(count);
  document.addEventListener("htmx:after:swap", count);
  count();
  return Promise.resolve({
    update(next) {
      ({ words } = next);
      count();
    },
    unmount() {
      unsubscribe();
      document.removeEventListener("htmx:after:swap", count);
    },
  });
};

export default marked;

// Prints the page. Lazy pictures that were never on the screen are loaded first: they would be missing on paper.
import type { Mount } from "../island";

const maxWait = 5000; // ms to wait for pictures

const print: Mount = (root) => {
  const controller = new AbortController();
  root.addEventListener(
    "click",
    () => {
      const pictures = [...document.querySelectorAll<HTMLImageElement>("main img[loading=lazy]")];
      for (const picture of pictures) picture.loading = "eager";
      const loaded = Promise.allSettled(pictures.map((picture) => picture.decode()));
      void Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWait))]).then(() =>
        window.print(),
      );
    },
    { signal: controller.signal },
  );
  return Promise.resolve({ update() {}, unmount: () => controller.abort() });
};

export default print;

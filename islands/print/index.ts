// Prints the page. Lazy pictures that were not visible yet are loaded before, or they would be missing on paper.
import type { Mount } from "../boot/island";

const longest = 5000; // ms to wait for pictures

const print: Mount = (root) => {
  const gone = new AbortController();
  root.addEventListener(
    "click",
    () => {
      const pictures = [...document.querySelectorAll<HTMLImageElement>("main img[loading=lazy]")];
      for (const picture of pictures) picture.loading = "eager";
      const there = Promise.allSettled(pictures.map((picture) => picture.decode()));
      void Promise.race([there, new Promise((go) => setTimeout(go, longest))]).then(() => window.print());
    },
    { signal: gone.signal },
  );
  return Promise.resolve({ update() {}, unmount: () => gone.abort() });
};

export default print;

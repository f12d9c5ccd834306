import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import { generate, text } from "../generate";
import { idOf, pictureIn, slidesOf } from "./slides";

const picture = (name: string, size: string) => `
  <li><a href="/media/${name}/u1080.jpg"><picture>
    <source type="image/avif" srcset="/media/${name}/u360.avif 360w, /media/${name}/u720.avif 720w">
    <img alt="${name}" ${size} srcset="/media/${name}/u360.jpg 360w, /media/${name}/u720.jpg 720w">
  </picture></a></li>`;

function links(html: string, shown?: string): HTMLAnchorElement[] {
  const window = new Window({ url: "https://best.example/models/1/a" });
  Object.assign(globalThis, { location: window.location });
  window.document.body.innerHTML = `<ul>${html}</ul>`;
  const found = [...window.document.querySelectorAll("a")] as unknown as HTMLAnchorElement[];
  if (shown) Object.defineProperty(found[0]!.querySelector("img")!, "currentSrc", { value: shown });
  return found;
}

test("slides use the format in which the browser loaded the first picture", () => {
  const size = 'width="800" height="1200"';
  const html = picture("a", size) + picture("b", size);
  const slides = slidesOf(links(html, "https://best.example/media/a/u720.avif"));
  assert.deepEqual(
    slides.map(({ srcSet }) => srcSet),
    ["a", "b"].map((name) => `/media/${name}/u360.avif 360w, /media/${name}/u720.avif 720w`),
  );
  assert.equal(slides[1]!.src, "https://best.example/media/b/u1080.jpg");
});

test("slides use the img's srcset while no picture has loaded", () => {
  const [slide] = slidesOf(links(picture("a", 'width="800" height="1200"')));
  assert.match(slide!.srcSet!, /u360\.jpg/);
});

test("a picture without dimensions and a link without a picture are slides, too", () => {
  const [sizeless, bare] = slidesOf(links(picture("a", "") + '<li><a href="/media/b/u.jpg">b</a></li>'));
  assert.equal(sizeless!.alt, "a");
  assert.deepEqual(bare, { src: "https://best.example/media/b/u.jpg", alt: "" });
});

test("an address opens a picture that is there, or none", () => {
  generate((random) => {
    const pictures = random(12);
    const at = random(20) - 1;
    const inside = at >= 0 && at < pictures;
    assert.equal(pictureIn(`#${idOf(at)}`, pictures), inside ? at : undefined);
    const hash = ["", "#", "#picture-"][random(3)]! + text(random);
    const found = pictureIn(hash, pictures);
    assert.ok(found === undefined || (Number.isInteger(found) && found >= 0 && found < pictures), hash);
  });
});

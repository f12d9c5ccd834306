import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOn, type Pixels } from "./advice";

/** photo has 120 × 160 pixels whose brightness is given by a function. */
function photo(light: (x: number, y: number) => number): Pixels {
  const [width, height] = [120, 160];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++)
    data.fill(light(i % width, Math.floor(i / width)), 4 * i, 4 * i + 3);
  return { data, width, height };
}

const stripes = (dark: number, light: number) => photo((x) => (x % 8 < 4 ? dark : light));

test("there is no advice on a sharp, evenly lit and large photo", () => {
  assert.equal(adviceOn(stripes(80, 180), 2400), undefined);
});

test("a photo is sharp if one part of it has edges", () => {
  assert.equal(
    adviceOn(
      photo((x, y) => (x > 40 && x < 60 && y < 30 && x % 8 < 4 ? 60 : 160)),
      2400,
    ),
    undefined,
  );
});

test("small, dark, bright and blurred photos get advice", () => {
  assert.equal(adviceOn(stripes(80, 180), 640), "small");
  assert.equal(adviceOn(stripes(10, 50), 2400), "dark");
  assert.equal(adviceOn(stripes(210, 255), 2400), "bright");
  assert.equal(
    adviceOn(
      photo((x) => 80 + 60 * Math.sin(x / 12)),
      2400,
    ),
    "blurred",
  );
});

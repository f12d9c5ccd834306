// First checks of a photo, as a booker would make them. They give advice and never refuse; in doubt a photo is good.

export type Advice = "small" | "blurred" | "dark" | "bright";

/** Pixels are RGBA, as a canvas gives them. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

const least = 1000; // px on the long side
const sharp = 60; // variance of the Laplacian in the sharpest part of a photo
const [darkest, brightest] = [50, 225]; // mean luminance of the middle, of 255
const parts = 6; // across and down

/** adviceOn is what could be better in a photo; side is the length of its longer side in pixels. */
export function adviceOn(pixels: Pixels, side: number): Advice | undefined {
  const light = luminance(pixels);
  const { width, height } = pixels;
  const middle = mean(light, width, width / 4, height / 4, (width * 3) / 4, (height * 3) / 4);
  if (side < least) return "small";
  if (middle < darkest) return "dark";
  if (middle > brightest) return "bright";
  return sharpest(light, width, height) < sharp ? "blurred" : undefined;
}

function luminance({ data, width, height }: Pixels): Float32Array {
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i++)
    light[i] = 0.299 * data[4 * i]! + 0.587 * data[4 * i + 1]! + 0.114 * data[4 * i + 2]!;
  return light;
}

function mean(
  light: Float32Array,
  width: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  let [sum, count] = [0, 0];
  for (let y = Math.floor(top); y < bottom; y++)
    for (let x = Math.floor(left); x < right; x++, count++) sum += light[y * width + x]!;
  return sum / count;
}

/** sharpest checks each part separately: a plain wall has no edges, but a blurred photo has none anywhere. */
function sharpest(light: Float32Array, width: number, height: number): number {
  let highest = 0;
  for (let row = 0; row < parts; row++)
    for (let column = 0; column < parts; column++) {
      let [sum, squares, count] = [0, 0, 0];
      const [right, bottom] = [((column + 1) * width) / parts - 1, ((row + 1) * height) / parts - 1];
      for (let y = Math.floor((row * height) / parts) + 1; y < bottom; y++)
        for (let x = Math.floor((column * width) / parts) + 1; x < right; x++, count++) {
          const i = y * width + x;
          const edge = 4 * light[i]! - light[i - 1]! - light[i + 1]! - light[i - width]! - light[i + width]!;
          sum += edge;
          squares += edge * edge;
        }
      if (count > 0) highest = Math.max(highest, squares / count - (sum / count) ** 2);
    }
  return highest;
}

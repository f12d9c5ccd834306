// The first checks that a booker makes of a photo. They only advise, and never refuse one; in doubt a photo is good.

export type Advice = "small" | "blurred" | "dark" | "bright" | "sideways";

/** Pixels are RGBA, as a canvas gives them. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

const minSide = 1000; // px on the long side
const minSharpness = 60; // variance of the Laplacian in the sharpest part of a photo
const [minLight, maxLight] = [50, 225]; // mean luminance of the middle, of 255
const gridSize = 6; // across and down

/** adviceOn returns the main fault of a photo, undefined for none. side is its longer side in pixels. */
export function adviceOn(pixels: Pixels, side: number): Advice | undefined {
  const light = luminance(pixels);
  const { width, height } = pixels;
  const centreLight = mean(light, width, width / 4, height / 4, (width * 3) / 4, (height * 3) / 4);
  if (side < minSide) return "small";
  if (centreLight < minLight) return "dark";
  if (centreLight > maxLight) return "bright";
  return sharpness(light, width, height) < minSharpness ? "blurred" : undefined;
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

/** sharpness is that of the sharpest part: a plain wall has no edges, but a blurred photo has none anywhere. */
function sharpness(light: Float32Array, width: number, height: number): number {
  let maximum = 0;
  for (let row = 0; row < gridSize; row++)
    for (let column = 0; column < gridSize; column++) {
      let [sum, squares, count] = [0, 0, 0];
      const [right, bottom] = [((column + 1) * width) / gridSize - 1, ((row + 1) * height) / gridSize - 1];
      for (let y = Math.floor((row * height) / gridSize) + 1; y < bottom; y++)
        for (let x = Math.floor((column * width) / gridSize) + 1; x < right; x++, count++) {
          const i = y * width + x;
          const edge = 4 * light[i]! - light[i - 1]! - light[i + 1]! - light[i - width]! - light[i + width]!;
          sum += edge;
          squares += edge * edge;
        }
      if (count > 0) maximum = Math.max(maximum, squares / count - (sum / count) ** 2);
    }
  return maximum;
}

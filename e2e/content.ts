// A content folder for a test: the demo's lists and pages with the test's talents, whose pictures are copies of the
// demo's.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const demo = "internal/folder/demo";

export interface OwnTalent {
  id: number;
  name: string;
  pictures: number; // in the book
  cover?: boolean;
  video?: { provider: string; file: string }[];
}

/** contentFolder creates a temporary folder, which the caller must remove. */
export function contentFolder(talents: OwnTalent[]): string {
  const folder = mkdtempSync(join(tmpdir(), "zedcard-content-"));
  for (const entry of [
    "categories.yaml",
    "options.yaml",
    "slides.yaml",
    "slides",
    "agency.yaml",
    "pages",
    "staff",
  ])
    cpSync(join(demo, entry), join(folder, entry), { recursive: true });
  mkdirSync(join(folder, "posts"));
  const photos = readdirSync(join(demo, "talents")).flatMap((name) =>
    readdirSync(join(demo, "talents", name))
      .filter((file) => file.startsWith("book-"))
      .map((file) => join(demo, "talents", name, file)),
  );
  for (const { id, name, pictures, cover, video } of talents) {
    const directory = join(folder, "talents", String(id));
    mkdirSync(directory, { recursive: true });
    for (let n = 0; n < pictures; n++)
      cpSync(photos[n % photos.length]!, join(directory, `book-${String(n + 1).padStart(2, "0")}.jpg`));
    if (video) cpSync(photos[1]!, join(directory, "preview.jpg"));
    if (cover) cpSync(photos[0]!, join(directory, "cover.jpg"));
    const lines = [
      `id: ${id}`,
      `name: ${JSON.stringify(name)}`,
      "gender: woman",
      "birthdate: 1998-04-02",
      "categories: [models, women]",
      "height: 177",
      "waist: 62",
      "shoes: 39",
      ...(cover ? ["cover: cover.jpg"] : []),
      ...(video
        ? ["video: " + JSON.stringify(video.map((clip) => ({ ...clip, preview: "preview.jpg" })))]
        : []),
    ];
    writeFileSync(join(directory, "talent.yaml"), lines.join("\n") + "\n");
  }
  return folder;
}

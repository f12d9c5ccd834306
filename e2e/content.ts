// A content folder for a test: the demo's lists and pages, with the test's own talents, whose pictures are copies of
// the demo's.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const demo = "internal/backend/embedded/demo";

export interface OwnTalent {
  id: number;
  name: string;
  pictures: number; // in the book
  cover?: boolean;
  video?: { provider: string; file: string }[];
}

/** contentFolder makes the folder; the caller must remove it. */
export function contentFolder(talents: OwnTalent[]): string {
  const folder = mkdtempSync(join(tmpdir(), "zedcard-content-"));
  for (const part of [
    "categories.yaml",
    "options.yaml",
    "slides.yaml",
    "slides",
    "social.yaml",
    "pages",
    "staff",
  ])
    cpSync(join(demo, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "posts"));
  const sources = readdirSync(join(demo, "talents")).flatMap((name) =>
    readdirSync(join(demo, "talents", name))
      .filter((file) => file.startsWith("book-"))
      .map((file) => join(demo, "talents", name, file)),
  );
  for (const { id, name, pictures, cover, video } of talents) {
    const own = join(folder, "talents", String(id));
    mkdirSync(own, { recursive: true });
    for (let n = 0; n < pictures; n++)
      cpSync(sources[n % sources.length]!, join(own, `book-${String(n + 1).padStart(2, "0")}.jpg`));
    if (video) cpSync(sources[1]!, join(own, "preview.jpg"));
    if (cover) cpSync(sources[0]!, join(own, "cover.jpg"));
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
        ? ["video: " + JSON.stringify(video.map((film) => ({ ...film, preview: "preview.jpg" })))]
        : []),
    ];
    writeFileSync(join(own, "talent.yaml"), lines.join("\n") + "\n");
  }
  return folder;
}

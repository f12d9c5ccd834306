import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "./download";

test("fileName reads Content-Disposition and prefers filename*", () => {
  assert.equal(
    fileName(
      `attachment; filename=agata-Best-Management.zip; filename*=UTF-8''%C3%81gata-Best-Management.zip`,
    ),
    "Ágata-Best-Management.zip",
  );
  assert.equal(
    fileName(`attachment; filename="Awa Diatta-Best-Management.zip"`),
    "Awa Diatta-Best-Management.zip",
  );
  assert.equal(fileName(""), "composite.zip");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "./kind";

test("kindOf detects the format from the first bytes", () => {
  for (const [head, kind] of [
    ["\xff\xd8\xff\xe0\0\x10JFIF", "jpeg"],
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "png"],
    ["GIF87a", "gif"],
    ["GIF89a\x01\0\x01\0", "gif"],
    ["\0\0\0\x18ftypheic\0\0\0\0", "heic"],
    ["\n\0\0\x18ftypmif1\n\0\0\0", "heic"],
    ["\0\0\0\x18ftypmp42\0\0\0\0", undefined],
    ["%PDF-1.7\n", undefined],
    ["RIFF\0\0\0\0WEBPVP8 ", undefined],
    ["\xff\xd8", undefined],
    ["\0GIF89a", undefined],
    ["", undefined],
  ] as const)
    assert.equal(kindOf(Uint8Array.from(head, (c) => c.charCodeAt(0))), kind, JSON.stringify(head));
});

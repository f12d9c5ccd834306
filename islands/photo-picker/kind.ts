export type Kind = "jpeg" | "png" | "gif" | "heic";

/**
 * kindOf detects a file's format from its first 16 bytes, like the server (package picture); the name and the
 * browser's type are ignored.
 */
export function kindOf(head: Uint8Array): Kind | undefined {
  const text = String.fromCharCode(...head.subarray(0, 16));
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (/^[^]{4}ftyp(hei[cxms]|hevc|mif1|msf1)./s.test(text)) return "heic";
  return undefined;
}

/**
 * shortName is a file's name as the form shows it: one of more than 12 characters is cut to 12 and
 * "..." and the extension. The server does the same (views.ShortName).
 */
export function shortName(name: string): string {
  const letters = [...name];
  if (letters.length <= 12) return name;
  const dot = name.lastIndexOf(".");
  return letters.slice(0, 12).join("") + "..." + (dot < 0 ? "" : name.slice(dot + 1));
}

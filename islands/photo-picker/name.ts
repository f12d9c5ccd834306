import { maxNameLength } from "../rules";

/**
 * shortName is a file's name as the form shows it: a longer one is cut to its first characters, "..." and the
 * extension. The server does the same (views.ShortName).
 */
export function shortName(name: string): string {
  const letters = [...name];
  if (letters.length <= maxNameLength) return name;
  const dot = name.lastIndexOf(".");
  return letters.slice(0, maxNameLength).join("") + "..." + (dot < 0 ? "" : name.slice(dot + 1));
}

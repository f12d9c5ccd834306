/** A path of every screen, for what must hold on each of them. */
export const everyScreen = [
  "/",
  "/models",
  "/creative",
  "/models/women",
  "/models/kids",
  "/models?letter=Q",
  "/models/101",
  "/about",
  "/privacy",
  "/safety",
  "/future-face",
  "/contact",
  "/be-a-model",
  "/guardian",
  "/blog",
  "/nothing-here",
];

// Faults that the type checker lets through: promises nobody waits for, objects written as text, methods without
// their object. What is a matter of taste is prettier's.
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig({
  files: ["islands/**/*.{ts,tsx}", "e2e/**/*.ts"],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: { parserOptions: { projectService: true } },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    // node:test waits for its own tests.
    "@typescript-eslint/no-floating-promises": [
      "error",
      { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "describe"] }] },
    ],
  },
});

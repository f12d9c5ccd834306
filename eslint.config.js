// Errors that the type checker does not find: unhandled promises, objects converted to strings, unbound methods.
// Formatting is prettier's.
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig({
  files: ["islands/**/*.{ts,tsx}", "e2e/**/*.ts"],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: { parserOptions: { projectService: true } },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    // node:test awaits its own tests.
    "@typescript-eslint/no-floating-promises": [
      "error",
      { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "describe"] }] },
    ],
  },
});

// Faults in style sheets: properties that do not exist, rules that never match or that a later one undoes.
export default {
  extends: "stylelint-config-recommended",
  ignoreFiles: ["static/css/*.out.css", "static/dist/**"],
  rules: {
    "at-rule-no-unknown": [true, { ignoreAtRules: ["tailwind", "apply", "layer", "screen", "config"] }],
    "at-rule-prelude-no-invalid": [true, { ignoreAtRules: ["apply"] }],
    "function-no-unknown": [true, { ignoreFunctions: ["theme"] }],
    "declaration-property-value-no-unknown": [true, { ignoreProperties: { "/.+/": "/theme\\(/" } }],
    // The order of a file is that of the page; a comment may stand between two rules of one element.
    "no-descending-specificity": null,
    "no-duplicate-selectors": null,
  },
};

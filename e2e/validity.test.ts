// The validity of every screen's HTML. Unlike the W3C's Nu checker, this one needs no Java.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HtmlValidate } from "html-validate";
import { site } from "./demo";
import { prefixes } from "./site";

// Without rules of style, which are not in the HTML standard.
const standard = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard"],
  rules: {
    "aria-label-misuse": "off", // a list may have a name
    "attribute-boolean-style": "off",
    "doctype-style": "off",
    "long-title": "off", // a post's title is its own
    "no-implicit-button-type": "off",
    "no-implicit-input-type": "off",
    "prefer-button": "off",
    "tel-non-breaking": "off",
    "unique-landmark": "off", // the menu repeats the footer's languages while that is out of reach
    "void-style": "off",
    "wcag/h32": "off", // a heart sends its form from elsewhere on the page
  },
});

async function findFaults(path: string, response: Response, status = 200): Promise<string[]> {
  assert.equal(response.status, status, path);
  const { results } = await standard.validateString(await response.text());
  return results.flatMap(({ messages }) =>
    messages.map((fault) => `${path}:${fault.line}:${fault.column} ${fault.ruleId}: ${fault.message}`),
  );
}

const screens = [
  "",
  "/models",
  "/models/women",
  "/models/kids?subcategory=girls&show=40",
  "/models?letter=Q",
  "/creative",
  "/models/101/benedita-nascimento",
  "/models/101/benedita-nascimento?gallery=snap",
  "/creative/142/greta-holzmann?gallery=video",
  "/about",
  "/privacy",
  "/safety",
  "/future-face",
  "/contact",
  "/contact?ids=101,102",
  "/be-a-model",
  "/blog",
  "/blog/editorial/onze-horas-e-uma-sombra",
  "/favorites",
  "/favorites?ids=101,102",
  "/favorites?ids=101,102&for=Maison+Ferrand",
  "/favorites/compare?ids=101,102",
];

for (const prefix of prefixes) {
  test(`screens are valid HTML in ${prefix.slice(1) || "en"}`, async () => {
    for (const screen of screens) {
      const path = prefix + screen || "/";
      assert.deepEqual(await findFaults(path, await fetch(site.url + path)), []);
    }
    const missingPath = prefix + "/nothing/here/at/all";
    assert.deepEqual(await findFaults(missingPath, await fetch(site.url + missingPath), 404), []);
  });

  test(`forms with errors are valid HTML in ${prefix.slice(1) || "en"}`, async () => {
    for (const [screen, values] of [
      ["/contact", { name: "", email: "x" }],
      ["/be-a-model", { realname: "", birthdate: "31/02/2010", gender: "woman", country: "BR" }],
      ["/be-a-model", { realname: "Ana", birthdate: "01/02/2015", gender: "man" }],
    ] as const) {
      const body = new URLSearchParams(values);
      const response = await fetch(site.url + prefix + screen, {
        method: "POST",
        body,
        headers: { Origin: site.url },
      });
      assert.deepEqual(await findFaults(prefix + screen, response, 422), []);
    }
  });
}

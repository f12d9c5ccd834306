// Every component hydrates the server's markup of its island (views/islands_test.go): React's development build reports
// nothing, and every element is reused.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { Window } from "happy-dom";

const window = new Window({ url: "https://best.example/", width: 1440, height: 900 });
const names = Object.getOwnPropertyNames(window).filter((name) => !(name in globalThis));
const replaced = ["Event", "location", "history", "addEventListener", "removeEventListener", "dispatchEvent"];
for (const name of [...names, ...replaced]) {
  const value = window[name as never];
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
Object.assign(globalThis, { window, IS_REACT_ACT_ENVIRONMENT: true });
const { act, createElement } = await import("react");
const { renderToString } = await import("react-dom/server");

const islands = readdirSync("islands").filter((name) => existsSync(`islands/${name}/index.tsx`));
const files = islands.flatMap((name) =>
  readdirSync(`islands/${name}`)
    .filter((file) => file.startsWith("server"))
    .map((file) => `islands/${name}/${file}`),
);

describe("hydration of the server's markup", () => {
  after(() => window.happyDOM.close());

  test("every component has server markup to test with", () => {
    assert.deepEqual([...new Set(files.map((file) => file.split("/")[1]!))], islands);
  });

  for (const file of files)
    test(`${file} hydrates without warnings and without replacing elements`, async () => {
      const { document } = window;
      document.body.innerHTML = '<form id="form">' + readFileSync(file, "utf8") + "</form>";
      const root = document.querySelector("zed-island") as unknown as HTMLElement;
      const props = JSON.parse(root.getAttribute("props") ?? "{}") as object;
      const name = file.split("/")[1]!;
      const island = (await import(`./${name}/index.tsx`)) as Record<string, unknown> & { default: Mount };
      const Component = Object.values(island).find(
        (value) => typeof value === "function" && value !== island.default && /^[A-Z]/.test(value.name),
      ) as React.ComponentType;
      const rendered = document.createElement("div");
      rendered.innerHTML = renderToString(createElement(Component, props));
      compare(rendered as unknown as Element, root, name);

      const before = [...root.querySelectorAll("*")];
      const markupBefore = markupOf(root);
      const warnings: unknown[] = [];
      const { error, warn } = console;
      console.error = console.warn = (...words) => warnings.push(words.join(" "));
      try {
        let mounting!: ReturnType<Mount>;
        await act(() => {
          mounting = island.default(root, props);
          return Promise.resolve();
        });
        const mounted = await mounting;
        assert.deepEqual(warnings, []);
        for (const element of before) assert.ok(root.contains(element), element.outerHTML);
        assert.equal(markupOf(root), markupBefore);
        await act(() => Promise.resolve(mounted.unmount()));
      } finally {
        Object.assign(console, { error, warn });
      }
      assert.deepEqual(warnings, []);
    });
});

type Mount = (root: HTMLElement, props: object) => Promise<{ unmount(): void }>;

const markupOf = (root: Element) =>
  [...root.querySelectorAll("img, source, a")]
    .map((element) => (element.cloneNode() as Element).outerHTML)
    .join("\n");

/** compare checks that a component renders what the server wrote, except in elements that it leaves to the server. */
function compare(rendered: Element, served: Element, path: string): void {
  if (rendered.children.length === 0 && !rendered.textContent) return;
  const [renderedChildren, servedChildren] = [[...rendered.children], [...served.children]];
  assert.deepEqual(
    renderedChildren.map((element) => element.localName),
    servedChildren.map((element) => element.localName),
    path,
  );
  for (const [i, element] of renderedChildren.entries()) {
    const servedElement = servedChildren[i]!;
    for (const { name, value } of element.attributes)
      assert.equal(servedElement.getAttribute(name), value, `${name} of ${path} ${element.localName}`);
    compare(element, servedElement, `${path} ${element.localName}`);
  }
  if (renderedChildren.length === 0) assert.equal(rendered.textContent, served.textContent, path);
}

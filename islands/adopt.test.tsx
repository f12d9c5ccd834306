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

describe("what the server writes of an island", () => {
  after(() => window.happyDOM.close());

  test("is there for every component", () => {
    assert.deepEqual([...new Set(files.map((file) => file.split("/")[1]!))], islands);
  });

  for (const file of files)
    test(`is adopted: ${file}`, async () => {
      const { document } = window;
      document.body.innerHTML = '<form id="form">' + readFileSync(file, "utf8") + "</form>";
      const root = document.querySelector("zed-island") as unknown as HTMLElement;
      const props = JSON.parse(root.getAttribute("props") ?? "{}") as object;
      const name = file.split("/")[1]!;
      const island = (await import(`./${name}/index.tsx`)) as Record<string, unknown> & { default: Mount };
      const Component = Object.values(island).find(
        (value) => typeof value === "function" && value !== island.default && /^[A-Z]/.test(value.name),
      ) as React.ComponentType;
      const drawn = document.createElement("div");
      drawn.innerHTML = renderToString(createElement(Component, props));
      compare(drawn as unknown as Element, root, name);

      const before = [...root.querySelectorAll("*")];
      const markup = outline(root);
      const complaints: unknown[] = [];
      const { error, warn } = console;
      console.error = console.warn = (...words) => complaints.push(words.join(" "));
      try {
        let mounting!: ReturnType<Mount>;
        await act(() => {
          mounting = island.default(root, props);
          return Promise.resolve();
        });
        const mounted = await mounting;
        assert.deepEqual(complaints, []);
        for (const element of before) assert.ok(root.contains(element), element.outerHTML);
        assert.equal(outline(root), markup);
        await act(() => Promise.resolve(mounted.unmount()));
      } finally {
        Object.assign(console, { error, warn });
      }
      assert.deepEqual(complaints, []);
    });
});

type Mount = (root: HTMLElement, props: object) => Promise<{ unmount(): void }>;

const outline = (root: Element) =>
  [...root.querySelectorAll("img, source, a")].map((one) => one.outerHTML).join("\n");

/** compare checks that a component renders what the server wrote, except in elements that it leaves to the server. */
function compare(drawn: Element, written: Element, where: string): void {
  if (drawn.children.length === 0 && !drawn.textContent) return;
  const [ours, theirs] = [[...drawn.children], [...written.children]];
  assert.deepEqual(
    ours.map((one) => one.localName),
    theirs.map((one) => one.localName),
    where,
  );
  for (const [i, one] of ours.entries()) {
    const other = theirs[i]!;
    for (const { name, value } of one.attributes)
      assert.equal(other.getAttribute(name), value, `${name} of ${where} ${one.localName}`);
    compare(one, other, `${where} ${one.localName}`);
  }
  if (ours.length === 0) assert.equal(drawn.textContent, written.textContent, where);
}

// A browser other than Chromium, as far as the checks need it. Firefox speaks WebDriver BiDi (firefox.ts), WebKit
// WebDriver (webkit.ts): playwright drives neither as Debian ships them.
import { PNG } from "pngjs";

/** Reference is an element, as the browser's protocol writes it. */
export type Reference = Record<string, string>;

export const keys = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C" };

const patience = 20_000; // ms
const pause = 50; // ms

export abstract class Engine {
  abstract open(url: string): Promise<void>;
  abstract resize(width: number, height: number): Promise<void>;
  abstract back(): Promise<void>;
  abstract choose(selector: string, file: string): Promise<void>;
  /** complaints are what the pages have complained about since the last call. */
  abstract complaints(): string[];
  abstract close(): Promise<void>;
  protected abstract evaluate(body: string): Promise<string>; // of an async function that returns a text
  protected abstract find(selector: string): Promise<Reference>;
  protected abstract act(source: object): Promise<void>;
  protected abstract origin(element: Reference): object;
  protected abstract screenshot(): Promise<string>;

  /** run runs a function in the page. */
  async run<T, A extends unknown[]>(work: (...given: A) => T | Promise<T>, ...given: A): Promise<T> {
    // tsx keeps the names of functions with a helper of its own.
    const call = `const __name = (f) => f; return (${work.toString()})(...${JSON.stringify(given)})`;
    const { result, error } = JSON.parse(
      await this.evaluate(`try { const result = await (async () => { ${call} })();
        return JSON.stringify({ result }) } catch (error) { return JSON.stringify({ error: String(error) }) }`),
    ) as { result: T; error?: string };
    if (error) throw new Error(error);
    return result;
  }

  /** until waits until a function in the page returns something true, also over a change of the page. */
  async until<A extends unknown[]>(what: string, work: (...given: A) => unknown, ...given: A): Promise<void> {
    for (const start = performance.now(); performance.now() - start < patience;) {
      if (await this.run(work, ...given).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    throw new Error(what);
  }

  /** shows waits for a visible element. */
  shows(selector: string): Promise<void> {
    return this.until(
      `no ${selector}`,
      (selector) => [...document.querySelectorAll(selector)].some((one) => one.checkVisibility()),
      selector,
    );
  }

  /** click presses the first element with the mouse, where it is. */
  async click(selector: string): Promise<void> {
    await this.shows(selector);
    await this.run(
      (selector) =>
        document.querySelector(selector)!.scrollIntoView({ block: "nearest", behavior: "instant" }),
      selector,
    );
    const origin = this.origin(await this.find(selector));
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
  }

  /** press types keys. */
  async press(...pressed: string[]): Promise<void> {
    const actions = pressed.flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.act({ type: "key", id: "keyboard", actions });
  }

  async picture(): Promise<PNG> {
    return PNG.sync.read(Buffer.from(await this.screenshot(), "base64"));
  }
}

// What is checked in Firefox and in WebKit: what these engines did otherwise than Chromium, and the way of a visitor
// through the site. Each check begins on a page of its own.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { after, before, test } from "node:test";
import { applicant, message, photos } from "../forms";
import { everyScreen } from "../screens";
import { freePort, startSite, type Site } from "../site";
import { keys, type Engine } from "./engine";

const widths = [320, 390, 768, 1440];

/** checkEngine checks a browser that Debian has as this program. */
export function checkEngine(program: string, start: () => Promise<Engine>): void {
  if (!existsSync(program)) return void test.skip(`there is no ${program}`);
  let site: Site;
  let engine: Engine;
  before(async () => {
    site = await startSite();
    engine = await start();
  });
  // The site first: there is no engine if its start failed, and what still runs would hold this process.
  after(() => Promise.all([site.stop(), engine.close()]));

  /** check is a test on a page in a size, about which nothing complains. */
  function check(name: string, path: string, size: [number, number], work: () => Promise<void>): void {
    test(name, { timeout: 60_000 }, async () => {
      await engine.resize(...size);
      await engine.open(site.url + path);
      await work();
      assert.deepEqual(engine.complaints(), []);
    });
  }
  const phone: [number, number] = [390, 844];
  const desk: [number, number] = [1440, 900];
  const place = () => engine.run(() => Math.round(scrollY));
  const address = () => engine.run(() => location.pathname + location.search);
  /** ready waits for htmx, and for the fonts of texts, with which lines may be higher. */
  const ready = async () => {
    await engine.until("htmx", () => "_htmx" in document.querySelector("header a")!);
    await engine.until("the fonts", () =>
      ["20px 'Newsreader Text'", "14px 'Instrument Sans'"].every((font) => document.fonts.check(font)),
    );
  };
  const scroll = (top: number) =>
    engine.run(async (top) => {
      scrollTo({ top, behavior: "instant" });
      await new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
    }, top);
  const isAt = (top: number) =>
    engine
      .until(`the place ${top}`, (top) => Math.abs(scrollY - top) < 2, top)
      .catch(async () => {
        assert.equal(await place(), top);
      });

  test("every page fits every screen and has its pictures", { timeout: 120_000 }, async () => {
    for (const path of everyScreen) {
      await engine.open(site.url + path);
      for (const width of widths) {
        await engine.resize(width, 900);
        const wide = await engine.run(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path} is ${wide} px too wide at ${width}`);
      }
      const missing = await engine.run(
        () =>
          [...document.images].filter((image) => image.complete && image.currentSrc && !image.naturalWidth)
            .length,
      );
      assert.equal(missing, 0, path);
      const complaints = engine.complaints();
      if (path !== "/nothing-here") assert.deepEqual(complaints, [], path); // its status is one
    }
  });

  check(
    "Back from a profile returns to the place in the list, and Forward to the profile's",
    "/models/women",
    phone,
    async () => {
      await ready();
      await scroll(1500);
      const top = await engine.run(() => {
        const seen = [...document.querySelectorAll<HTMLAnchorElement>("#board h2 a")].find(
          (one) => one.getBoundingClientRect().top > 300,
        )!;
        seen.id = "seen";
        seen.scrollIntoView({ block: "nearest", behavior: "instant" });
        return Math.round(scrollY);
      });
      await engine.click("#seen");
      await engine.shows("main > article[data-talent]");
      await isAt(0);
      assert.equal(await engine.run(() => document.activeElement!.localName), "h1");
      await scroll(300);
      await engine.back();
      await engine.shows("#board");
      await isAt(top);
      await engine.run(() => history.forward());
      await engine.shows("main > article[data-talent]");
      await isAt(300);
      await engine.run(() => document.querySelector<HTMLElement>("[data-back]")!.click());
      await engine.shows("#board");
      await isAt(top);
    },
  );

  check("Back leads to the place in a list that has grown", "/models", phone, async () => {
    await ready();
    await scroll(5000); // as far as it goes
    await engine.until("the next page", () => document.querySelectorAll("#board h2").length > 20);
    const top = await engine.run(() => {
      const link = document.querySelectorAll("#board h2 a")[28]!;
      link.id = "late";
      link.scrollIntoView({ block: "center", behavior: "instant" });
      return Math.round(scrollY);
    });
    assert.ok(top > 3000, `${top}`);
    await engine.click("#late"); // a script's click leaves no step that WebKit goes back to
    await engine.shows("main > article[data-talent]");
    await engine.back();
    await engine.shows("#board");
    await isAt(top);
  });

  check("a link pressed while a script is on its way is followed", "/", phone, async () => {
    // A line on which the scripts of islands take three seconds.
    const port = await freePort();
    const slow = createServer((ask, answer) => {
      const { method, headers, url } = ask;
      const send = () =>
        ask.pipe(
          request(site.url + url, { method, headers }, (got) => {
            answer.writeHead(got.statusCode!, got.headers);
            got.pipe(answer);
          }).on("error", () => answer.destroy()),
        );
      if (/\/static\/(gallery|carousel)/.test(url!)) setTimeout(send, 3000);
      else send();
    }).listen(port, "127.0.0.1");
    try {
      const url = `http://127.0.0.1:${port}`;
      for (const [from, link, to] of [
        [
          "/models/101/benedita-nascimento",
          "footer [data-language=pt]",
          "/pt/models/101/benedita-nascimento",
        ],
        ["/", "main a[href='/models']", "/models"],
      ] as const) {
        await engine.run((url) => setTimeout(() => (location.href = url)), url + from);
        await engine.until("the page", (url) => location.href === url, url + from);
        if (from !== "/")
          await engine.run(() => document.querySelector<HTMLElement>("[data-gallery] a")!.focus());
        await engine.click(link);
        await engine.until("the other page", (to) => location.pathname === to, to);
        await new Promise((resolve) => setTimeout(resolve, 500)); // a reload would lead back
        assert.equal(await address(), to);
      }
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

  check("the menu takes the focus, and Escape returns it", "/models", phone, async () => {
    await engine.click("[data-menu=open]");
    await engine.until("the focus", () => document.querySelector("#menu")!.contains(document.activeElement));
    await engine.press(keys.Escape);
    await engine.until(
      "the page",
      () => getComputedStyle(document.querySelector("#menu")!).display === "none",
    );
    await engine.click("[data-menu=open]");
    await engine.click("#menu a[href='/models/kids']");
    await engine.until("the board", () => location.pathname === "/models/kids");
  });

  check("a picture opens large, and Back closes it", "/models/101/benedita-nascimento", desk, async () => {
    const open = () => document.querySelector("dialog.lightbox, main dialog[open]") !== null;
    await engine.click("[data-gallery] li a");
    await engine.until("the lightbox", open);
    await engine.back();
    await engine.until("the page", () => document.querySelector("main dialog[open]") === null);
    await engine.click("[data-gallery] li a");
    await engine.until("the lightbox", open);
    await engine.press(keys.Escape);
    await engine.until("the page", () => document.querySelector("main dialog[open]") === null);
    assert.equal(await address(), "/models/101/benedita-nascimento");
  });

  const fill = (values: Record<string, string>) =>
    engine.run((values) => {
      for (const [name, value] of Object.entries(values)) {
        const control = document.querySelector<HTMLInputElement>(`form [name=${name}]`)!;
        control.value = value;
        for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }, values);

  const choosePhotos = async () => {
    for (const [name, file] of Object.entries(photos)) {
      await engine.run((name) => document.querySelector<HTMLElement>(`[name=${name}]`)!.focus(), name);
      await engine.until(
        "the picker",
        (name) => document.querySelector(`[data-mounted] [name=${name}]`),
        name,
      );
      await engine.choose(`[name=${name}]`, file);
    }
  };

  /** send presses the button, and waits for its state when the form is sent, which lasts 2.5 s. */
  const send = async () => {
    await engine.run(() =>
      new MutationObserver(() => {
        if (document.querySelector("form button[data-state=sent]")) Object.assign(window, { wasSent: true });
      }).observe(document, { attributes: true, childList: true, subtree: true }),
    );
    await engine.click("form button[data-state]");
    await engine.until("sent", () => "wasSent" in window);
  };

  check("a message is sent, and the form is idle again", "/contact", phone, async () => {
    await engine.shows("[data-island=form][data-mounted]");
    await engine.click("form button[data-state]");
    await engine.shows("#errors");
    await fill(message);
    await send();
    await engine.until("idle", () => document.querySelector("form button[data-state=idle]"));
    assert.equal(
      await engine.run(() => document.querySelector<HTMLInputElement>("form [name=name]")!.value),
      "",
    );
    engine.complaints(); // the status of the errors
  });

  check("an application with photos is sent; no field has round corners", "/be-a-model", phone, async () => {
    await engine.shows("[data-island=form][data-mounted]");
    const round = await engine.run(() =>
      [...document.querySelectorAll<HTMLElement>("form :is(input, select, textarea, button)")]
        .filter((one) => getComputedStyle(one).borderRadius !== "0px" && one.checkVisibility())
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(round, []);
    await fill(applicant);
    await choosePhotos();
    await engine.run(() => document.querySelector<HTMLElement>("[name=privacy]")!.click());
    await engine.until("previews", () => document.querySelectorAll("form canvas").length >= 3);
    await send();
  });

  const kept = (names: string[]) =>
    engine.run((names) => {
      const control = (name: string) => document.querySelector<HTMLInputElement>(`form [name=${name}]`);
      const value = (name: string) => control(name)?.files?.[0]?.name ?? control(name)?.value ?? "";
      return Object.fromEntries(names.map((name) => [name, value(name)]));
    }, names);

  for (const [path, typed] of [
    ["/contact", message],
    ["/be-a-model", applicant],
  ] as const)
    check(`what was typed on ${path} is there after Back, Forward and a reload`, path, desk, async () => {
      const mounted = "[data-island=form][data-mounted]";
      await engine.shows(mounted);
      await fill(typed);
      const names = Object.keys(typed);
      if (path === "/be-a-model") {
        await choosePhotos();
        names.push(...Object.keys(photos));
      }
      const before = await kept(names);
      const is = async (where: string) => {
        await engine.shows(mounted);
        assert.deepEqual(await kept(names), before, where);
      };
      await engine.click("header a[href='/about']");
      await engine.until("About", () => location.pathname === "/about");
      await engine.back();
      await engine.until("Back", (path) => location.pathname === path, path);
      await is("Back");
      await engine.run(() => setTimeout(() => history.forward()));
      await engine.until("Forward", () => location.pathname === "/about");
      await engine.back();
      await engine.until("Back again", (path) => location.pathname === path, path);
      await is("Forward and Back");
      await engine.run(() => setTimeout(() => (location.reload(), Object.assign(window, { old: true }))));
      await engine.until("a reload", () => !("old" in window));
      for (const photo of Object.keys(photos)) delete before[photo]; // which its picker then says
      names.splice(Object.keys(typed).length);
      await is("a reload");
    });

  for (const size of [phone, desk])
    check(
      `the heights of a line-up stand on their lines at ${size[0]} px`,
      "/favorites/compare?ids=101,103",
      size,
      async () => {
        await engine.shows(".crown-tab p");
        const labels = await engine.run(async () => {
          await document.fonts.ready;
          document.querySelector(".crown-tab p")!.scrollIntoView({ block: "center", behavior: "instant" });
          return [...document.querySelectorAll(".crown-tab p")].map((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return { left, right, top, bottom };
          });
        });
        // A label is a piece of paper with ink on it; the wall and the pictures are grey.
        const { data, width } = await engine.picture();
        const scale = width / size[0];
        for (const { left, right, top, bottom } of labels) {
          let [paper, ink, all] = [0, 0, 0];
          for (let y = Math.ceil(top * scale); y < bottom * scale - 2; y++)
            for (let x = Math.ceil(left * scale); x < right * scale - 1; x++) {
              const level = data[4 * (y * width + x)]!;
              all++;
              if (level > 250) paper++;
              if (level < 90) ink++;
            }
          assert.ok(paper > all / 2 && ink > 5, `${paper} of paper, ${ink} of ink, of ${all} pixels`);
        }
      },
    );
}

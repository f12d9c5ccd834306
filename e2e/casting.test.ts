// What a casting director works with beside the filters: who is close to a search that found few.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { open, runAgency, shown } from "./agency";
import { accessible, desk, fits, phone, prefixes } from "./site";

runAgency();

describe("near misses", () => {
  const few = "/models/women?height_from=180&height_to=181&hair=red";

  for (const javaScriptEnabled of [true, false])
    test(`stand below a search that found few, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
      const { page, close } = await open(few, { ...phone, javaScriptEnabled });
      const near = page.locator("#near article");
      assert.ok((await shown(page)).length < 4);
      assert.ok((await near.count()) > 0);
      for (const one of await near.all())
        assert.match(
          (await one.locator("p").textContent())!,
          /^\d(\.\d)?\u00a0cm (taller|shorter)$|^(With .+ hair|Another hair colour) instead of red$/,
        );
      const name = (await near.first().locator("h3").textContent())!;
      await near.first().locator("h3 a").click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await close();
    });

  test("are accessible, saved like any other, and gone with the search", async () => {
    const { page, close } = await open(few, { ...desk, bypassCSP: true });
    await accessible(page, few);
    const heart = page.locator("#near article").first().getByRole("button");
    await heart.click();
    await page.locator("#near [aria-pressed=true]").waitFor();
    await page.locator("#set, #empty").getByText("Clear all").or(page.getByText("Show all")).first().click();
    await page.locator("#near").waitFor({ state: "detached" });
    for (const options of [phone, desk])
      for (const prefix of prefixes) {
        const { page, close } = await open(`${prefix}${few}`, options);
        await fits(page, `${prefix}${few}`);
        await close();
      }
    await close();
  });
});

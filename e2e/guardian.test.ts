// A parent gets a mail, opens its link and confirms, from the program to the mail and the pages.
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { applicant, asPersonWould, button, choosePhotos, fill, isState, minor } from "./forms";
import { accessible, desk, fits, freePort, phone, startBrowser, startSite, visit } from "./site";

/** startPost starts a mail server; next returns the mails as they arrive, with their headers. */
async function startPost(t: TestContext) {
  const waiting: ((mail: string) => void)[] = [];
  const mails: string[] = [];
  const lines = new Set<Socket>();
  const server = createServer((line) => {
    lines.add(line);
    line.on("error", () => line.destroy()); // the client has hung up
    line.write("220 post\r\n");
    let said = "";
    let mail: string | undefined;
    line.setEncoding("utf8").on("data", (data: string) => {
      said += data;
      for (let end = said.indexOf("\r\n"); end >= 0; end = said.indexOf("\r\n")) {
        const words = said.slice(0, end);
        said = said.slice(end + 2);
        if (mail !== undefined && words !== ".") {
          mail += words + "\n";
          continue;
        }
        if (mail !== undefined) {
          const take = waiting.shift();
          if (take) take(mail);
          else mails.push(mail);
          mail = undefined;
        }
        if (words === "DATA") mail = "";
        line.write(words === "DATA" ? "354 go on\r\n" : words === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((listens) => server.listen(port, "127.0.0.1", listens));
  t.after(() => {
    server.close();
    for (const line of lines) line.destroy();
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: () =>
      new Promise<string>((take) => {
        const mail = mails.shift();
        if (mail) take(mail);
        else waiting.push(take);
      }),
  };
}

/** text undoes the quoted-printable of a mail's body. */
const text = (mail: string) =>
  Buffer.from(
    mail
      .replaceAll("=\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

const kinds = { "with a script": {}, "without a script": { javaScriptEnabled: false } };
for (const [name, kind] of Object.entries(kinds))
  test(`a parent confirms, ${name}`, async (t) => {
    const post = await startPost(t);
    const [site, browser] = await Promise.all([
      startSite({ SMTP_URL: post.url, MAIL_TO: "bookings@best.example" }),
      startBrowser(),
    ]);
    t.after(() => Promise.all([browser.close(), site.stop()]));

    const child = await visit(browser, site, { ...desk, ...kind });
    await child.page.goto("/pt/become-a-model");
    const asked = Object.entries(applicant).filter(
      ([name]) => !["bust", "waist", "hips", "dress"].includes(name),
    );
    await fill(child.page, { ...Object.fromEntries(asked), ...minor });
    await choosePhotos(child.page);
    await child.page.locator("[name=responsible_consent]").check();
    await child.page.locator("[name=privacy]").check();
    await asPersonWould(child.page);
    await button(child.page).click();
    await isState(child.page, "sent");
    const reference = /G-\d{6}-[0-9A-F]{6}/.exec(await child.page.locator("[data-receipt]").innerText())![0];
    await child.close();

    let mail = "";
    while (!mail.includes(`To: <${minor.responsible_email}>`)) mail = await post.next(); // not the agency's note
    const words = text(mail);
    assert.match(words, new RegExp(`inscrição ${reference}`));
    for (const secret of [applicant.realname, applicant.email, minor.responsible, minor.birthdate])
      assert.ok(!words.includes(secret), `the mail says ${secret}`);
    const link = /http:\S+token=\S+/.exec(words)![0];

    const parent = await visit(browser, site, { ...phone, ...kind, bypassCSP: name === "with a script" });
    await parent.page.goto(link);
    await parent.page.getByRole("heading", { name: "Confirme uma inscrição" }).waitFor();
    if (name === "with a script") await accessible(parent.page, "the page to confirm");
    else await fits(parent.page, "the page to confirm");
    await parent.page.goto(link); // a look confirms nothing
    await parent.page.getByRole("button", { name: "Confirmar" }).click();
    await parent.page.getByRole("heading", { name: "Confirmado", exact: true }).waitFor();
    await parent.page.reload();
    await parent.page.getByRole("heading", { name: "Confirmado", exact: true }).waitFor();
    assert.deepEqual(parent.complaints, []);
    await parent.close();

    let note = "";
    while (!note.includes("a guardian has confirmed")) note = await post.next();
    assert.match(text(note), new RegExp(reference));
    const token = new URL(link).searchParams.get("token")!;
    for (const secret of [token, minor.responsible_email, applicant.realname])
      assert.ok(!site.logs().includes(secret), `the log says ${secret}`);
  });

// A parent receives an e-mail about an application, opens its link and confirms.
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { applicant, button, choosePhotos, fill, isState, minor } from "./forms";
import { browser } from "./browser";
import { accessible, desk, fits, freePort, phone, startSite, visit } from "./site";

/** startMailServer starts an SMTP server; next resolves with the next mail, with its headers. */
async function startMailServer(t: TestContext) {
  const waiting: ((mail: string) => void)[] = [];
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()); // the client has hung up
    socket.write("220 post\r\n");
    let buffer = "";
    let mail: string | undefined;
    socket.setEncoding("utf8").on("data", (data: string) => {
      buffer += data;
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const command = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (mail !== undefined && command !== ".") {
          mail += command + "\n";
          continue;
        }
        if (mail !== undefined) {
          const resolve = waiting.shift();
          if (resolve) resolve(mail);
          else mails.push(mail);
          mail = undefined;
        }
        if (command === "DATA") mail = "";
        socket.write(
          command === "DATA" ? "354 go on\r\n" : command === "QUIT" ? "221 bye\r\n" : "250 ok\r\n",
        );
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: () =>
      new Promise<string>((resolve) => {
        const mail = mails.shift();
        if (mail) resolve(mail);
        else waiting.push(resolve);
      }),
  };
}

/** decoded is a mail without its quoted-printable encoding. */
const decoded = (mail: string) =>
  Buffer.from(
    mail
      .replaceAll("=\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

const browsers = { "with a script": {}, "without a script": { javaScriptEnabled: false } };
for (const [name, options] of Object.entries(browsers))
  test(`a parent confirms a minor's application by e-mail, ${name}`, async (t) => {
    const mailServer = await startMailServer(t);
    const site = await startSite({ SMTP_URL: mailServer.url, MAIL_TO: "bookings@best.example" });
    t.after(() => site.stop());

    const child = await visit(browser, site, { ...desk, ...options, bypassCSP: name === "with a script" });
    await child.page.goto("/pt/become-a-model");
    const adultFields = Object.entries(applicant).filter(
      ([name]) => !["bust", "waist", "hips", "dress"].includes(name),
    );
    await fill(child.page, { ...Object.fromEntries(adultFields), ...minor });
    await choosePhotos(child.page);
    await child.page.locator("[name=responsible_consent]").check();
    await child.page.locator("[name=privacy]").check();
    await button(child.page).click();
    await isState(child.page, "sent");
    const reference = /G-\d{6}-[0-9A-F]{6}/.exec(await child.page.locator("[data-receipt]").innerText())![0];
    const mailTo = async (address: string) => {
      let mail = "";
      while (!mail.includes(`To: <${address}>`)) mail = await mailServer.next(); // not the agency's
      return mail;
    };
    await child.page.locator("[data-receipt]").getByText("um booker corrige").waitFor();
    if (name === "with a script") await accessible(child.page, "a minor's receipt");
    const mail = await mailTo(minor.responsible_email);
    const linkOf = (mail: string) => /http:\S+token=\S+/.exec(mail)![0];
    await fits(child.page, "a minor's receipt");
    assert.deepEqual(child.complaints, []);
    await child.close();

    const content = decoded(mail);
    assert.match(content, new RegExp(`inscrição ${reference}`));
    for (const secret of [applicant.realname, applicant.email, minor.responsible, minor.birthdate])
      assert.ok(!content.includes(secret), `the mail contains ${secret}`);
    const link = linkOf(content);

    const parent = await visit(browser, site, { ...phone, ...options, bypassCSP: name === "with a script" });
    await parent.page.goto(link);
    await parent.page.getByRole("heading", { name: "Confirme uma inscrição" }).waitFor();
    if (name === "with a script") await accessible(parent.page, "the confirmation page");
    else await fits(parent.page, "the confirmation page");
    await parent.page.goto(link); // opening the link confirms nothing
    await parent.page.locator("[name=agree]").check();
    await parent.page.getByRole("button", { name: "Confirmar" }).click(); // one box is not both
    await parent.page.locator("#data-error").waitFor();
    await parent.page.locator("[name=data]").check();
    await parent.page.getByRole("button", { name: "Confirmar" }).click();
    await parent.page.getByRole("heading", { name: "Inscrição confirmada", exact: true }).waitFor();
    await parent.page.reload();
    await parent.page.getByRole("heading", { name: "Inscrição confirmada", exact: true }).waitFor();
    assert.deepEqual(parent.complaints, []);
    await parent.close();

    let note = "";
    while (!note.includes("a guardian has confirmed")) note = await mailServer.next();
    assert.match(decoded(note), new RegExp(reference));

    const booker = await visit(browser, site, { ...phone, ...options, bypassCSP: name === "with a script" });
    await booker.page.goto(/http:\S+_inbox\S+/.exec(decoded(note))![0]);
    const photo = booker.page.locator("img").first();
    await photo.waitFor();
    assert.ok(
      await photo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    );
    if (name === "with a script") await accessible(booker.page, "the inbox");
    await fits(booker.page, "the inbox");
    await booker.page.locator("[value=done]").click();
    await booker.page.locator("[value=open]").waitFor();
    assert.deepEqual(await booker.page.context().cookies(), []);
    assert.deepEqual(booker.complaints, []);
    await booker.close();
    const token = new URL(link).searchParams.get("token")!;
    for (const secret of [token, minor.responsible_email, applicant.realname])
      assert.ok(!site.logs().includes(secret), `the log contains ${secret}`);
  });

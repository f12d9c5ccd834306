// Helpers to fill in both forms.
import type { Page } from "playwright-core";

const photo = (name: string) => `internal/folder/demo/talents/${name}`;
export const photos = {
  image_1: photo("130-lucja-wisniewska/book-1.jpg"),
  image_2: photo("130-lucja-wisniewska/book-2.jpg"),
  image_3: photo("130-lucja-wisniewska/book-3.jpg"),
};

export const button = (page: Page) => page.locator("form button[data-state]");
export const state = (page: Page) => button(page).getAttribute("data-state");
export const isState = (page: Page, expected: string) =>
  page.locator(`form button[data-state=${expected}]`).waitFor({ state: "attached" }); // a receipt's form is closed

export async function fill(page: Page, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const control = page.locator(`form [name=${name}]`);
    if (await control.evaluate((element) => element.tagName === "SELECT")) await control.selectOption(value);
    else await control.fill(value);
  }
}

export const message = {
  name: "Júlia Prado",
  email: "julia@example.com",
  phone: "+351 912 345 678",
  message: "Two days in May.\nLisbon.",
};

export const applicant = {
  realname: "Ana Souza",
  birthdate: "30/04/1999",
  gender: "woman",
  phone: "+55 (11) 98765-4321",
  email: "ana@example.com",
  nationality: "BR",
  note: "PT",
  height: "178",
  bust: "86",
  waist: "61",
  hips: "90",
  shoes: "38",
  dress: "36",
  eyes: "Green",
  hair: "Blonde",
};

/** The additional and changed fields of an applicant under 18. */
export const minor = {
  birthdate: "22/11/2012",
  responsible: "Rosa Souza",
  responsible_email: "rosa@example.com",
  responsible_phone: "+55 11 3333-4444",
};

export async function choosePhotos(page: Page, chosen: Record<string, string> = photos) {
  for (const [name, file] of Object.entries(chosen)) await page.locator(`[name=${name}]`).setInputFiles(file);
}

async function send(page: Page): Promise<void> {
  await button(page).click();
  await isState(page, "sent");
}

/** sendMessage sends the message, and ends on its receipt. */
export async function sendMessage(page: Page): Promise<void> {
  await page.goto("/contact");
  await fill(page, message);
  await send(page);
}

/** sendApplication sends that of the applicant, and ends on its receipt. */
export async function sendApplication(page: Page): Promise<void> {
  await page.goto("/be-a-model");
  await fill(page, applicant);
  await choosePhotos(page);
  await page.locator("[name=privacy]").check();
  await send(page);
}

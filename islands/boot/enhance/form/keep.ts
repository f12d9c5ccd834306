// The server usually keeps the photos of a form with errors. If it could not (its disk may be full), this script puts
// them back into their inputs; without a script they have to be chosen again.

const sent = new Map<string, File>();

const inputs = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement>("input[type=file]");

/** rememberFiles stores the files that are sent, and returns the names of their inputs. */
export function rememberFiles(form: HTMLFormElement): string[] {
  for (const input of inputs(form)) if (input.files?.[0]) sent.set(input.name, input.files[0]);
  return [...sent.keys()];
}

/** restoreFiles restores the files of a returned form, except those that were refused or that the server keeps. */
export function restoreFiles(form: HTMLFormElement): void {
  const receipt = document.querySelector("[data-receipt]");
  for (const input of receipt ? [] : inputs(form)) {
    const file = sent.get(input.name);
    const keptByServer = form.querySelector(`[name=${input.name}_kept]`);
    if (!file || keptByServer || input.files?.length || input.hasAttribute("aria-invalid")) continue;
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  sent.clear();
}

// The photos of a form that comes back usually wait on the server. Where they could not – its disk is
// full, say – they are put back into their inputs from here; without a script they are chosen again.

const sent = new Map<string, File>();

const inputs = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement>("input[type=file]");

/** keepFiles remembers what is sent, and gives the names of its inputs. */
export function keepFiles(form: HTMLFormElement): string[] {
  for (const input of inputs(form)) if (input.files?.[0]) sent.set(input.name, input.files[0]);
  return [...sent.keys()];
}

/** putBack gives a form that came back its files again, but for those that were refused or wait elsewhere. */
export function putBack(form: HTMLFormElement): void {
  const receipt = document.querySelector("[data-receipt]");
  for (const input of receipt ? [] : inputs(form)) {
    const file = sent.get(input.name);
    const waits = form.querySelector(`[name=${input.name}_kept]`);
    if (!file || waits || input.files?.length || input.ariaInvalid) continue;
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  sent.clear();
}

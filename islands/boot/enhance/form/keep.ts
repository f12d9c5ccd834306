// What neither the server nor the browser brings back. The server usually keeps the photos of a form with errors; if it
// could not, this script puts them back. The browser brings back what was typed with Back and Forward, but not with a
// reload: for that the tab's own storage has it, until the form is sent.

const sent = new Map<string, File>();

/** rememberFiles stores the files that are sent, and returns the names of their inputs. */
export function rememberFiles(body: FormData): string[] {
  for (const [name, value] of body) if (value instanceof File && value.size > 0) sent.set(name, value);
  return [...sent.keys()];
}

/** restoreFiles restores the files of a returned form, except those that were refused or that the server keeps. */
export function restoreFiles(form: HTMLFormElement): void {
  const receipt = document.querySelector("[data-receipt]");
  for (const input of receipt ? [] : form.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    const file = sent.get(input.name);
    const keptByServer = form.querySelector(`[name=${input.name}_kept]`);
    if (!file || keptByServer || input.files?.length || input.hasAttribute("aria-invalid")) continue;
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
    changed(input);
  }
  sent.clear();
}

const changed = (control: Element) => control.dispatchEvent(new Event("change", { bubbles: true }));

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const controls = (form: HTMLFormElement) =>
  form.querySelectorAll<Control>("[name]:is(input, select, textarea):not([type=hidden])");

/** keepTyped fills in a reloaded form, and stores what is typed when the page is left or its tab is put to sleep. */
export function keepTyped(form: HTMLFormElement, signal: AbortSignal): { forget: () => void } {
  const key = `typed:${location.pathname}`;
  const forget = () => tab((storage) => storage.removeItem(key));
  const save = () => tab((storage) => storage.setItem(key, typed(form)));
  const stored = tab((storage) => storage.getItem(key));
  forget();
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (stored && visit?.type === "reload") fill(form, new URLSearchParams(stored));
  document.addEventListener("visibilitychange", () => document.hidden && save(), { signal });
  return { forget };
}

/** tab uses the tab's storage, if the visitor allows it. */
function tab<Result>(access: (storage: Storage) => Result): Result | undefined {
  try {
    return access(sessionStorage);
  } catch {
    return undefined;
  }
}

const canBeTicked = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type);

/** typed is what was typed and ticked; of a chosen photo the name. */
function typed(form: HTMLFormElement): string {
  const values = new URLSearchParams();
  for (const control of controls(form))
    if (control.value && (!canBeTicked(control) || control.checked))
      values.append(control.name, control.value);
  return values.toString();
}

function fill(form: HTMLFormElement, values: URLSearchParams): void {
  for (const control of controls(form)) {
    const value = values.get(control.name);
    if (!value) continue;
    if (canBeTicked(control)) control.checked = control.value === value;
    else if (control.type === "file") control.dataset.lost = "";
    else control.value = value;
    changed(control);
  }
}

// Validation in the browser. It is less strict than the server's and decides nothing: it removes error messages that no
// longer apply, and has the server check the fields before photos are uploaded.
import { ageOf } from "./calendar";
import { formatComplete } from "./mask";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** isValid reports whether the value of a field seems valid; files are checked by the pickers. */
export function isValid(control: Control): boolean {
  if (control.type === "checkbox") return !control.required || (control as HTMLInputElement).checked;
  const text = control.value.trim();
  if (!text) return !control.required;
  if (control.type === "email") return /^[^\s@]+@[^\s@]+\.[^\s@.\d]{2,}$/.test(text);
  if (control.type === "tel" && !control.dataset.mask) return (text.match(/\d/g) ?? []).length >= 3;
  const { mask, date } = control.dataset;
  if (date !== undefined) return ageOf(text) !== undefined;
  return !mask || formatComplete(text, mask).length === mask.length;
}

/** hasInvalidField reports whether a visible field of the form is invalid. */
export function hasInvalidField(form: HTMLFormElement): boolean {
  const controls = form.querySelectorAll<Control>("input:not([type=hidden], [type=file]), select, textarea");
  return [...controls].some((control) => control.offsetParent && !isValid(control));
}

/** hideEntries hides those links of the list of errors that a test tells of by their control; they keep their place. */
export function hideEntries(form: HTMLFormElement, isGone: (control: Control) => boolean): void {
  for (const link of form.querySelectorAll<HTMLAnchorElement>("#errors a")) {
    const control = form.querySelector<Control>(link.hash);
    if (control && isGone(control)) link.classList.add("invisible");
  }
  const list = form.querySelector("#errors");
  if (!list?.querySelector("a:not(.invisible)")) list?.classList.add("invisible");
}

/**
 * revalidate hides the error message of a field once it is valid and has lost the focus: it keeps its height until the
 * next submit, because a tap on the button would miss it.
 */
export function revalidate(form: HTMLFormElement, signal: AbortSignal): void {
  form.addEventListener(
    "change",
    (event) => {
      const control = event.target as Control;
      const isCorrected = control.getAttribute("aria-invalid") === "true" && control.value;
      if (control.type === "file" || !isCorrected || !isValid(control)) return;
      control.removeAttribute("aria-invalid");
      // A screen reader would still read it with the field.
      const descriptions = control.getAttribute("aria-describedby")?.split(" ") ?? [];
      const left = descriptions.filter((id) => id !== `${control.name}-error`);
      control.setAttribute("aria-describedby", left.join(" "));
      form.querySelector(`#${control.name}-error`)?.classList.add("invisible");
      hideEntries(form, (other) => other === control);
    },
    { signal },
  );
}

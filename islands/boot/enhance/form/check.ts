// Validation in the browser. It is less strict than the server's and decides nothing: it removes error messages that no
// longer apply, and has the server check the fields before photos are uploaded.
import { toDisplayDate } from "./calendar";
import { formatComplete } from "./mask";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** isValid reports whether the value of a field seems valid; files are checked by the pickers. */
export function isValid(control: Control): boolean {
  if (control.type === "checkbox") return !control.required || (control as HTMLInputElement).checked;
  const text = control.value.trim();
  if (!text) return !control.required;
  if (control.type === "email") return /^[^\s@]+@[^\s@]+\.[^\s@.\d]{2,}$/.test(text);
  if (control.type === "tel" && !control.dataset.mask) return (text.match(/\d/g) ?? []).length >= 3;
  const { mask } = control.dataset;
  if (!mask) return true;
  if (mask.includes("/")) return isDate(toDisplayDate(text));
  return formatComplete(text, mask).length === mask.length;
}

function isDate(text: string): boolean {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)?.map(Number) ?? [];
  const date = new Date(year ?? 0, (month ?? 0) - 1, day);
  return date.getDate() === day && date.getMonth() === month! - 1 && date < new Date();
}

/** hasInvalidField reports whether a visible field of the form is invalid. */
export function hasInvalidField(form: HTMLFormElement): boolean {
  const controls = form.querySelectorAll<Control>("input:not([type=hidden], [type=file]), select, textarea");
  return [...controls].some((control) => control.offsetParent && !isValid(control));
}

/**
 * clearFixedErrors removes the error message of a field once it is valid and has lost the focus. During a press of the
 * pointer it waits, because the button under the pointer would move away.
 */
export function clearFixedErrors(form: HTMLFormElement, signal: AbortSignal): void {
  let pressed = false;
  const setPressed = (value: boolean) => () => (pressed = value);
  document.addEventListener("pointerdown", setPressed(true), { capture: true, signal });
  for (const type of ["pointerup", "pointercancel"])
    document.addEventListener(type, setPressed(false), { capture: true, signal });

  form.addEventListener(
    "change",
    ({ target }) => {
      const control = target as Control;
      if (control.ariaInvalid !== "true" || control.type === "file" || !control.value || !isValid(control))
        return;
      const clear = () => {
        control.removeAttribute("aria-invalid");
        form.querySelector(`#${control.name}-error`)?.remove();
        const entry = form.querySelector(`#errors a[href="#${control.name}"]`)?.closest("li");
        (entry?.matches(":only-child") ? entry.closest("#errors") : entry)?.remove();
      };
      if (!pressed) clear();
      else document.addEventListener("pointerup", () => setTimeout(clear), { once: true, signal });
    },
    { signal },
  );
}

// Validation in the browser. It is less strict than the server's and decides nothing: it removes error messages that no
// longer apply, and has the server check the fields before photos are uploaded.
import { written } from "./calendar";
import { fitted } from "./mask";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** isRight reports whether the value of a field seems valid; files are checked by the pickers. */
export function isRight(control: Control): boolean {
  if (control.type === "checkbox") return !control.required || (control as HTMLInputElement).checked;
  const text = control.value.trim();
  if (!text) return !control.required;
  if (control.type === "email") return /^[^\s@]+@[^\s@]+\.[^\s@.\d]{2,}$/.test(text);
  if (control.type === "tel" && !control.dataset.mask) return (text.match(/\d/g) ?? []).length >= 3;
  const { mask } = control.dataset;
  if (!mask) return true;
  if (mask.includes("/")) return isDate(written(text));
  return fitted(text, mask).length === mask.length;
}

function isDate(text: string): boolean {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)?.map(Number) ?? [];
  const date = new Date(year ?? 0, (month ?? 0) - 1, day);
  return date.getDate() === day && date.getMonth() === month! - 1 && date < new Date();
}

/** wrong reports whether a visible field of the form is invalid. */
export function wrong(form: HTMLFormElement): boolean {
  const controls = form.querySelectorAll<Control>("input:not([type=hidden], [type=file]), select, textarea");
  return [...controls].some((control) => control.offsetParent && !isRight(control));
}

/**
 * forgive removes the error message of a field once it is valid and has lost the focus: not while somebody types, and
 * not during a press, because the button under the pointer would move away.
 */
export function forgive(form: HTMLFormElement, signal: AbortSignal): void {
  let pressed = false;
  const press = (now: boolean) => () => (pressed = now);
  document.addEventListener("pointerdown", press(true), { capture: true, signal });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, press(false), { capture: true, signal });

  form.addEventListener(
    "change",
    ({ target }) => {
      const control = target as Control;
      if (control.ariaInvalid !== "true" || control.type === "file" || !control.value || !isRight(control))
        return;
      const clear = () => {
        control.removeAttribute("aria-invalid");
        form.querySelector(`#${control.name}-error`)?.remove();
        const said = form.querySelector(`#errors a[href="#${control.name}"]`)?.closest("li");
        (said?.matches(":only-child") ? said.closest("#errors") : said)?.remove();
      };
      if (!pressed) clear();
      else document.addEventListener("pointerup", () => setTimeout(clear), { once: true, signal });
    },
    { signal },
  );
}

// Validation in the browser. It is less strict than the server's and decides nothing: it removes error messages that no
// longer apply, and has the server check the fields before photos are uploaded.
import { ageOf, dateIn } from "./calendar";
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

/** isWrong reports whether what was typed into a field can't become right: there is no such date. */
function isWrong({ dataset, value }: Control): boolean {
  return dataset.date !== undefined && /\d{4}/.test(value) && !dateIn(value);
}

function showError(control: Control, text: string): void {
  const id = `${control.name}-error`;
  const field = control.closest(".field")!;
  let message = field.querySelector<HTMLElement>(`#${id} span`);
  if (!message) {
    const line = Object.assign(document.createElement("p"), { id, className: "error-text", role: "alert" });
    message = line.appendChild(document.createElement("span"));
    field.children[1]!.after(line);
  }
  message.textContent = text;
  message.parentElement!.classList.remove("invisible");
  control.setAttribute("aria-describedby", id);
  control.setAttribute("aria-invalid", "true");
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
 * next submit, because a tap on the button would miss it. Where what was typed is no date it shows one, after a press.
 */
export function revalidate(form: HTMLFormElement, signal: AbortSignal): void {
  let pressed = false;
  const setPressed = (value: boolean) => () => (pressed = value);
  document.addEventListener("mousedown", setPressed(true), { capture: true, signal }); // of a tap, too
  document.addEventListener("mouseup", setPressed(false), { capture: true, signal });

  form.addEventListener(
    "change",
    (event) => {
      const control = event.target as Control;
      if (control.type === "file") return;
      if (isWrong(control)) {
        const show = () => showError(control, control.dataset.invalid!.replace("{value}", control.value));
        if (!pressed) show();
        else document.addEventListener("mouseup", () => setTimeout(show), { once: true, signal });
      } else if (control.getAttribute("aria-invalid") === "true" && control.value && isValid(control)) {
        control.removeAttribute("aria-invalid");
        // A screen reader would still read it with the field.
        const descriptions = control.getAttribute("aria-describedby")?.split(" ") ?? [];
        const left = descriptions.filter((id) => id !== `${control.name}-error`);
        control.setAttribute("aria-describedby", left.join(" "));
        form.querySelector(`#${control.name}-error`)?.classList.add("invisible");
        hideEntries(form, (other) => other === control);
      }
    },
    { signal },
  );
}

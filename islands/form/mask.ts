// Inserts the fixed characters of a date or a phone number while its digits are typed. "#" in a data-mask is a digit.
// It only helps at the end of the text: corrections in the middle are left alone. A text that arrives as a whole
// (pasted, filled in by the browser, composed) is formatted if it has the mask's number of digits, and otherwise left
// alone. The server does the same.

/** masked is the digits of the text with the mask's fixed characters between them. */
export function masked(text: string, mask: string): string {
  const digits = text.replace(/\D/g, "");
  let written = "";
  let used = 0;
  for (const place of mask) {
    if (used === digits.length) break;
    written += place === "#" ? digits[used++]! : place;
  }
  return used < digits.length ? text : written;
}

/** fitted is a text formatted by the mask if it has exactly the mask's digits, otherwise unchanged. */
export function fitted(text: string, mask: string): string {
  const digits = text.replace(/\D/g, "");
  const places = mask.replace(/[^#]/g, "");
  if (digits.length !== places.length || !/^[\d\s\p{P}\p{S}\p{Cf}]*$/u.test(text)) return text;
  // A date that begins with its year has its digits in another order: see calendar.ts.
  if (mask.includes("/") && /^\d{4}\D/.test(text)) return text;
  return masked(text, mask);
}

/** typed is a text after a character was typed at its end, continued with the mask's fixed characters. */
function typed(text: string, character: string | null, mask: string): string {
  if (/[^\d\s()+/-]/.test(text) || /^\d{4}-/.test(text)) return text;
  if (character === "/" || character === "-") return text;
  return masked(text, mask);
}

export function masks(form: HTMLFormElement, signal: AbortSignal): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("[data-mask]")) {
    const mask = input.dataset.mask!;
    const write = (text: string) => {
      if (text !== input.value) input.value = text;
    };
    input.addEventListener(
      "input",
      (event) => {
        // Browsers fill in with an event that is no InputEvent.
        const { inputType = "", data = null, isComposing = false } = event as Partial<InputEvent>;
        if (isComposing || /^(delete|history)/.test(inputType)) return;
        if (inputType !== "insertText") write(fitted(input.value, mask));
        else if (input.selectionEnd === input.value.length) write(typed(input.value, data, mask));
      },
      { signal },
    );
    for (const whole of ["change", "compositionend"])
      input.addEventListener(whole, () => write(fitted(input.value, mask)), { signal });
  }
}

// Writes the fixed characters of a date or a phone number for whoever types its digits. "#" in a
// data-mask stands for a digit. Who types is helped at the end of the line only: a correction in the
// middle is left alone. What comes as a whole – pasted, filled in by the browser, composed – is written
// as the mask where it has the mask's digits, and left alone where it has not. The server does the same.

/** masked is the text with the mask's own characters put in between its digits. */
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

/** fitted is a whole text as the mask writes it; one that has not just the mask's digits stays as it is. */
export function fitted(text: string, mask: string): string {
  const digits = text.replace(/\D/g, "");
  const places = mask.replace(/[^#]/g, "");
  if (digits.length !== places.length || !/^[\d\s\p{P}\p{S}\p{Cf}]*$/u.test(text)) return text;
  // A date that begins with its year has its digits in another order: see calendar.ts.
  if (mask.includes("/") && /^\d{4}\D/.test(text)) return text;
  return masked(text, mask);
}

/** typed is a text as the mask goes on writing it, after a character at its end. */
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

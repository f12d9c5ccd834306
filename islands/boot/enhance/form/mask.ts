// Inserts the fixed characters of a phone number while its digits are typed. "#" in a data-mask is a digit.
// It only helps at the end of the text: corrections in the middle are left alone. A text that arrives as a whole
// (pasted, filled in by the browser, composed) is formatted if it has the mask's number of digits, and otherwise left
// alone. The server does the same.

/** masked inserts the mask's fixed characters between the digits of the text. Too many digits leave it unchanged. */
export function masked(text: string, mask: string): string {
  const digits = text.replace(/\D/g, "");
  let written = "";
  let next = 0;
  for (const character of mask) {
    if (next === digits.length) break;
    written += character === "#" ? digits[next++]! : character;
  }
  return next < digits.length ? text : written;
}

/** formatComplete formats a text by the mask if it has exactly the mask's number of digits. */
export function formatComplete(text: string, mask: string): string {
  const digits = text.replace(/\D/g, "");
  const digitPlaces = mask.replace(/[^#]/g, "");
  if (digits.length !== digitPlaces.length || !/^[\d\s\p{P}\p{S}\p{Cf}]*$/u.test(text)) return text;
  return masked(text, mask);
}

/** A number that begins with another country's code than the mask's Brazilian one is left as it is typed. */
const abroad = /^\s*(0|\+\s*(?!5(5|\D*$))\d)/;

/** typed adds the mask's fixed characters to a text after a character was typed at its end. */
export function typed(text: string, character: string | null, mask: string): string {
  if (abroad.test(text) || /[^\d\s()+-]/.test(text) || character === "-") return text;
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
        // When browsers fill in a form the event is not an InputEvent.
        const { inputType = "", data = null, isComposing = false } = event as Partial<InputEvent>;
        if (isComposing || /^(delete|history)/.test(inputType)) return;
        if (inputType !== "insertText") write(formatComplete(input.value, mask));
        else if (input.selectionEnd === input.value.length) write(typed(input.value, data, mask));
      },
      { signal },
    );
    for (const type of ["change", "compositionend"])
      input.addEventListener(type, () => write(formatComplete(input.value, mask)), { signal });
  }
}

// Writes the fixed characters of a date or a phone number for whoever types its digits. "#" in a
// data-mask stands for a digit. It helps at the end of the line only: who corrects in the middle is
// left alone, and so is what was pasted in another form.

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

export function masks(form: HTMLFormElement, signal: AbortSignal): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("[data-mask]")) {
    input.addEventListener(
      "input",
      (event) => {
        if ((event as InputEvent).inputType !== "insertText" || input.selectionEnd !== input.value.length)
          return;
        if (/[^\d\s()+/-]/.test(input.value) || /^\d{4}-/.test(input.value)) return;
        if ((event as InputEvent).data === "/" || (event as InputEvent).data === "-") return;
        input.value = masked(input.value, input.dataset.mask!);
      },
      { signal },
    );
  }
}

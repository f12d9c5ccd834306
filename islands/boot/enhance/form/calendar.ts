// Dates of birth, as people type them, and the browser's date picker beside their text input.

/** dateIn is the date of a text: day, month, year or year, month, day with anything between them, or eight digits. */
export function dateIn(text: string): Date | undefined {
  const separated = text.trim().replace(/^(\d\d)(\d\d)(\d{4})$/, "$1/$2/$3");
  const parts = separated.split(/[^\d\p{L}]+/u).filter(Boolean);
  if (parts[0]?.length === 4) parts.reverse();
  if (!/^\d{1,2} \d{1,2} [1-9]\d{3}$/.test(parts.join(" "))) return undefined;
  const [day, month, year] = parts.map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  return date.getDate() === day && date.getMonth() === month - 1 ? date : undefined;
}

/** formatDate writes a date as dd/MM/yyyy; any other text is returned unchanged. */
export function formatDate(text: string): string {
  const date = dateIn(text);
  if (!date) return text;
  const [day, month] = [date.getDate(), date.getMonth() + 1].map((part) => String(part).padStart(2, "0"));
  return `${day}/${month}/${date.getFullYear()}`;
}

/** ageOf is the age in years of somebody born on a date; undefined if it is none, or in the future. */
export function ageOf(birthdate: string, today = new Date()): number | undefined {
  const born = dateIn(birthdate);
  if (!born || born > today) return undefined;
  const birthday = new Date(today.getFullYear(), born.getMonth(), born.getDate());
  return today.getFullYear() - born.getFullYear() - (birthday > today ? 1 : 0);
}

export function calendar(input: HTMLInputElement, signal: AbortSignal): void {
  const picker = input.parentElement!.querySelector<HTMLInputElement>("[data-calendar]");
  const button = input.parentElement!.querySelector<HTMLButtonElement>("button");
  input.addEventListener("change", () => (input.value = formatDate(input.value)), { signal });
  input.addEventListener(
    "input",
    (event) => {
      // When browsers fill in a form the event is not an InputEvent.
      const { inputType = "", isComposing = false } = event as Partial<InputEvent>;
      if (isComposing || /^(delete|history)/.test(inputType)) return;
      const complete = inputType !== "insertText" || /^\d{8}$|\D\d{4}$/.test(input.value);
      const text =
        complete && input.selectionEnd === input.value.length ? formatDate(input.value) : input.value;
      if (text !== input.value) input.value = text;
    },
    { signal },
  );
  if (!picker || !button || !("showPicker" in picker)) return;
  button.hidden = false;
  button.addEventListener(
    "click",
    () => {
      picker.value = input.value.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1");
      picker.showPicker();
    },
    { signal },
  );
  picker.addEventListener(
    "change",
    () => {
      if (!picker.value) return;
      input.value = formatDate(picker.value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    { signal },
  );
}

// The browser's date picker beside the text input of a date.

/** toDisplayDate converts yyyy-MM-dd to dd/MM/yyyy; any other text is returned unchanged. */
export function toDisplayDate(text: string): string {
  return text.trim().replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$3/$2/$1");
}

/** dateIn is the date of a text of dd/MM/yyyy or yyyy-MM-dd; undefined if there is none. */
export function dateIn(text: string): Date | undefined {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(toDisplayDate(text))?.map(Number) ?? [];
  const date = new Date(year ?? 0, (month ?? 0) - 1, day);
  return date.getDate() === day && date.getMonth() === month! - 1 ? date : undefined;
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
  input.addEventListener("change", () => (input.value = toDisplayDate(input.value)), { signal });
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
      input.value = toDisplayDate(picker.value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    { signal },
  );
}

// The browser's date picker beside the text input of a date.

/** toDisplayDate converts yyyy-MM-dd to dd/MM/yyyy; any other text is returned unchanged. */
export function toDisplayDate(text: string): string {
  return text.trim().replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$3/$2/$1");
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

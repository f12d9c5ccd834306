// The browser's own calendar beside a date that is written by hand.

/** written converts yyyy-MM-dd to dd/MM/yyyy; any other text is returned unchanged. */
export function written(text: string): string {
  return text.trim().replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$3/$2/$1");
}

export function calendar(line: HTMLInputElement, signal: AbortSignal): void {
  const picker = line.parentElement!.querySelector<HTMLInputElement>("[data-calendar]");
  const button = line.parentElement!.querySelector<HTMLButtonElement>("button");
  line.addEventListener("change", () => (line.value = written(line.value)), { signal });
  if (!picker || !button || !("showPicker" in picker)) return;
  button.hidden = false;
  button.addEventListener(
    "click",
    () => {
      picker.value = line.value.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1");
      picker.showPicker();
    },
    { signal },
  );
  picker.addEventListener(
    "change",
    () => {
      if (!picker.value) return;
      line.value = written(picker.value);
      line.dispatchEvent(new Event("input", { bubbles: true }));
    },
    { signal },
  );
}

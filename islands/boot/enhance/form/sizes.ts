// What a typed size is in the other unit stands beside it.

/** numberIn reads a size: 174, 1,74 or 5'8½; NaN for anything else. */
export function numberIn(text: string, unit: string): number {
  const isLength = unit === "cm";
  const [, feet, inches, half] = /^\s*(\d)\s*(?:'|’|′|ft)\s*(\d{1,2})?\s*(½)?\D*$/.exec(text) ?? [];
  if (feet && isLength)
    return Math.round(Number(feet) * 30.48 + (Number(inches ?? 0) + (half ? 0.5 : 0)) * 2.54);
  const number = parseFloat(text.replace(",", "."));
  return isLength && number < 3 ? Math.round(number * 100) : number;
}

export function sizes(form: HTMLFormElement, signal: AbortSignal): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("input[list]")) {
    const beside = input.parentElement!.querySelector<HTMLElement>("[data-unit]");
    if (!beside) continue; // a size whose system nobody knows
    const unit = beside.dataset.unit!;
    const options = [...input.list!.options];
    const show = () => {
      const number = numberIn(input.value, unit);
      const option = options.find(({ value }) => numberIn(value, unit) === number);
      beside.textContent = [unit, option?.label.split(" / ")[1]].filter(Boolean).join(" · ");
    };
    input.addEventListener("input", show, { signal });
    form.addEventListener("reset", () => setTimeout(show), { signal });
    show();
  }
}

// Sizes are typed: a field over the select box (data-typed is its unit), which keeps the value. What the number is in
// inches stands beside it, and the browser suggests what is likely for the birth date and the gender.
import { adultAge } from "../../../rules";
import { ageOf } from "./calendar";

/** likely is the range of sizes that most people of an age and a gender are in. */
export function likely(name: string, age: number, gender: string): [from: number, to: number] {
  const isMan = gender === "man";
  if (name === "shoes") {
    if (age < adultAge) return [16 + age, 28 + age];
    return isMan ? [40, 47] : [36, 42];
  }
  if (age < adultAge) return [70 + 5 * age, 105 + 5 * age];
  return isMan ? [178, 195] : [168, 185];
}

/** numberIn reads a size: 174, 1,74 or 5'8; NaN for anything else. */
export function numberIn(text: string, unit: string): number {
  const isLength = unit === "cm";
  const [, feet, inches] = /^\s*(\d)\s*(?:'|’|′|ft)\s*(\d{1,2})?\D*$/.exec(text) ?? [];
  if (feet && isLength) return Math.round(Number(feet) * 30.48 + Number(inches ?? 0) * 2.54);
  const number = parseFloat(text.replace(",", "."));
  return isLength && number < 3 ? Math.round(number * 100) : number;
}

export function typedSizes(form: HTMLFormElement, signal: AbortSignal): void {
  const value = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? "";
  const age = () => ageOf(value("birthdate")) ?? adultAge;
  for (const select of form.querySelectorAll<HTMLSelectElement>("select[data-typed]")) {
    const { input, show } = fieldOver(select, signal, () => likely(select.name, age(), value("gender")));
    select.parentElement!.parentElement!.querySelector("label")!.htmlFor = input.id;
    form.addEventListener("reset", () => setTimeout(show), { signal });
  }
}

function fieldOver(select: HTMLSelectElement, signal: AbortSignal, range: () => [number, number]) {
  const unit = select.dataset.typed!;
  const options = [...select.options].filter(({ value }) => value !== "");
  const create = <K extends keyof HTMLElementTagNameMap>(tag: K, id: string) =>
    Object.assign(document.createElement(tag), { id: `${select.name}-${id}` });
  const box = create("span", "box");
  const input = create("input", "typed");
  const other = create("span", "other"); // the unit, and the length in the other one
  const suggestions = create("datalist", "likely");
  box.className = "typed";
  input.className = select.className;
  Object.assign(input, { inputMode: "decimal", autocomplete: "off", required: select.required });
  input.setAttribute("list", suggestions.id);
  select.before(box);
  box.append(input, other, suggestions, select);
  select.tabIndex = -1;
  select.ariaHidden = "true";

  function describe(): void {
    const words = select.value ? select.selectedOptions[0]!.label.split(" / ")[1] : undefined;
    other.textContent = [unit, words].filter(Boolean).join(" · ");
    const ids = [select.getAttribute("aria-describedby"), other.id];
    input.setAttribute("aria-describedby", ids.filter(Boolean).join(" "));
    input.ariaInvalid = select.ariaInvalid;
  }
  function show(): void {
    input.value = select.value && String(parseFloat(select.value));
    describe();
  }
  function choose(): void {
    const number = numberIn(input.value, unit);
    select.value = options.find(({ value }) => parseFloat(value) === number)?.value ?? "";
    describe();
  }
  function suggest(): void {
    const [from, to] = range();
    const isLikely = (size: number) => Number.isInteger(size) && size >= from && size <= to;
    const all = options.filter(({ value }) => isLikely(parseFloat(value)));
    suggestions.replaceChildren(...all.map(({ value, label }) => new Option(label, value)));
  }
  input.addEventListener("focus", suggest, { signal });
  input.addEventListener("input", choose, { signal });
  input.addEventListener(
    "change",
    (event) => {
      event.stopPropagation(); // the select box speaks for it
      select.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: input.value }));
    },
    { signal },
  );
  select.addEventListener("change", (event) => event instanceof CustomEvent || show(), { signal });
  select.addEventListener("focus", () => input.focus(), { signal });
  const errors = new MutationObserver(describe);
  errors.observe(select, { attributeFilter: ["aria-invalid"] });
  signal.addEventListener("abort", () => errors.disconnect());
  show();
  return { input, show };
}

// The unit that lengths are read in is remembered in the browser. The switch's links choose it too
// (?units=in), so that it works without this script.

const key = "units";

const known = (unit: string | null): unit is string => unit === "cm" || unit === "in";

let chosen: string | null = null; // for a browser that keeps nothing

function remember(unit: string): void {
  chosen = unit;
  try {
    localStorage.setItem(key, unit);
  } catch {
    // the choice lasts as long as the document
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(key) ?? chosen;
  } catch {
    return chosen;
  }
}

function apply(): void {
  const list = document.querySelector<HTMLElement>("[data-units]");
  if (!list) return;
  const asked = new URLSearchParams(location.search).get(key);
  if (known(asked)) remember(asked);
  const unit = remembered();
  if (!known(unit) || unit === list.dataset.units) return;
  list.dataset.units = unit;
  for (const link of document.querySelectorAll<HTMLElement>("[data-unit]"))
    if (link.dataset.unit === unit) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}

export function units(): void {
  apply();
  document.addEventListener("htmx:after:swap", apply);
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-unit]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      event.stopPropagation();
      remember(link.dataset.unit!);
      history.replaceState(history.state, "", withoutUnit());
      apply();
    },
    true,
  );
}

function withoutUnit(): string {
  const url = new URL(location.href);
  url.searchParams.delete(key);
  return url.href;
}

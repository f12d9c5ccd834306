// The unit that lengths are read in is remembered in the browser. The switch's links choose it too
// (?units=in), so that it works without this script.

const key = "units";

function apply(): void {
  const list = document.querySelector<HTMLElement>("[data-units]");
  if (!list) return;
  const asked = new URLSearchParams(location.search).get(key);
  if (asked) localStorage.setItem(key, asked);
  const unit = localStorage.getItem(key);
  if (!unit || unit === list.dataset.units) return;
  list.dataset.units = unit;
  for (const link of document.querySelectorAll<HTMLElement>("[data-unit]"))
    link.ariaCurrent = link.dataset.unit === unit ? "true" : null;
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
      localStorage.setItem(key, link.dataset.unit!);
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

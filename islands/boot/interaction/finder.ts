// The finder of a board searches while typing, and its button closes it. Empty fields are left out of the address.

const typingPause = 300; // ms after the last key press

interface RequestDetail {
  ctx: { sourceElement: Element; request: { body?: FormData | null } };
}

let timer: ReturnType<typeof setTimeout> | undefined;

function searchSoon(element: Element | null): void {
  const form = element?.closest<HTMLFormElement>("#finder form");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => form.isConnected && form.requestSubmit?.(), typingPause);
}

export function finder(): void {
  let hasEntry = false; // the search already has a history entry
  document.addEventListener("input", ({ target }) => searchSoon(target as Element));
  document.addEventListener(
    "submit",
    ({ submitter }) => {
      clearTimeout(timer);
      const panel = submitter?.closest("details");
      if (!panel) return; // submitted while typing
      panel.open = false;
      document.querySelector<HTMLElement>("#count")?.focus();
    },
    true,
  );
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = (event as CustomEvent<RequestDetail>).detail;
    if (!ctx.sourceElement.matches("#finder form")) return;
    for (const [name, value] of [...(ctx.request.body?.entries() ?? [])])
      if (value === "") ctx.request.body?.delete(name);
  });
  // A search is one history entry, however many keys were typed.
  document.addEventListener("htmx:before:history:update", (event) => {
    const { sourceElement, history } = (
      event as CustomEvent<{ sourceElement: Element; history: { type: string } }>
    ).detail;
    const sameSearch = sourceElement.matches("#finder form") && document.activeElement?.matches("#find-name");
    if (sameSearch && hasEntry) history.type = "replace";
    hasEntry = Boolean(sameSearch);
  });
  // Below the desktop an open finder has the whole screen: its button stands at the foot.
  const fill = () => {
    if (document.querySelector("#finder[open]") && !matchMedia("(min-width: 1024px)").matches)
      scrollTo(0, document.querySelector<HTMLElement>("#filters")!.offsetTop);
  };
  document.addEventListener("toggle", ({ target }) => (target as Element).id === "finder" && fill(), true);
  fill();
  // Something may have been typed or chosen before this script had loaded.
  const changed = [...document.querySelectorAll<HTMLInputElement>("#finder input")].find(
    (input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked,
  );
  searchSoon(changed ?? null);
}

// The full-screen menu as a modal dialog: focus stays inside, Esc closes it, and the page behind it is inert. Without
// this script the same links open and close it as a :target.

export function menu(): void {
  // A list of further actions closes as any menu does.
  const closeOthers = (target?: EventTarget | null) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>("details[data-dismiss][open]"))
      if (!(target instanceof Node && open.contains(target))) open.open = false;
  };
  document.addEventListener("keydown", ({ key }) => key === "Escape" && closeOthers());
  document.addEventListener("click", (event) => {
    closeOthers(event.target);
    const link = (event.target as Element).closest<HTMLElement>("[data-menu], #menu a");
    const dialog = document.querySelector<HTMLDialogElement>("#menu");
    if (!link || !dialog?.showModal) return; // an old browser
    if (link.dataset.menu === "open") {
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    } else if (dialog.open) {
      if (link.dataset.menu === "close") event.preventDefault();
      dialog.close();
    }
  });
}

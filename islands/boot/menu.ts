// The full-screen menu as a modal dialog: focus stays inside, Esc closes it, and the page behind it is inert. Without
// this script the same links open and close it as a :target.

export function menu(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("[data-menu], #menu a");
    const dialog = document.querySelector<HTMLDialogElement>("#menu");
    if (!link || !dialog) return;
    if (link.dataset.menu === "open") {
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    } else if (dialog.open) {
      if (link.dataset.menu === "close") event.preventDefault();
      dialog.close();
    }
  });
}

// "Back" and "Return" go back in history where there is somewhere to go back to on this site;
// else they stay the links that they are.

let visited = 0;

export function back(): void {
  const here = document.referrer.startsWith(location.origin + "/");
  document.addEventListener("htmx:after:history:push", () => visited++);
  document.addEventListener(
    "click",
    (event) => {
      const link = (event.target as Element).closest("[data-back]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (visited === 0 && !here) return;
      event.preventDefault();
      event.stopPropagation();
      history.back();
    },
    true,
  );
}

// What a card does beyond being a link comes with the first interest in one.

const types = ["pointerover", "focusin"];

export function card(): void {
  const interest = (event: Event) => {
    if (!(event.target as Element).closest("[data-talent]")) return;
    for (const type of types) document.removeEventListener(type, interest);
    import("../card/interest").then(({ begin }) => begin(event)).catch(() => undefined); // the card stays a link
  };
  for (const type of types) document.addEventListener(type, interest, { passive: true });
}

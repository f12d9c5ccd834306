// The livelier half of the two forms. htmx posts them; this shows where they stand, keeps what was
// typed where the line fails, and is quick where the server would only be right. Nothing here decides.
import type { Mount } from "../boot/island";
import { calendar } from "./calendar";
import { forgive, wrong } from "./check";
import { keepFiles, putBack } from "./keep";
import { masks } from "./mask";
import { upload } from "./upload";

interface RequestContext {
  fetch?: typeof fetch;
  response?: { status: number };
  text?: string;
  request?: { body?: unknown };
}
const contextOf = (event: Event) => (event as CustomEvent<{ ctx: RequestContext }>).detail.ctx;

type State = "idle" | "sending" | "sent";

// The time (ms) after which a sent form is idle again.
const sentFor = 2500;
// What is sent sooner after it was shown is taken for a program's; people who fill in by a program
// of their own wait for the rest of it.
const soonest = 2200;
const firstSeen = new Map<string, number>();
// Forms whose fields were sent without their photos, by their token.
const checked = new Set<string>();

const adult = 18;

const form: Mount = (root) => {
  const form = root.querySelector("form")!;
  const button = form.querySelector<HTMLButtonElement>("button[data-state]")!;
  const failed = form.querySelector<HTMLElement>("[data-failed]")!;
  const token = form.querySelector<HTMLInputElement>("[name=form_token]")!.value;
  if (!firstSeen.has(token)) firstSeen.set(token, performance.now());
  const gone = new AbortController();
  const { signal } = gone;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function show(state: State): void {
    button.dataset.state = state;
    button.textContent = button.dataset[state] ?? "";
  }

  // Sent: after a while the form is as new. Its address stays, so that a reload shows the receipt. Who writes again
  // sooner keeps that.
  if (button.dataset.state === "sent") {
    waiting = setTimeout(() => {
      show("idle");
      form.reset();
    }, sentFor);
    form.addEventListener(
      "input",
      () => {
        clearTimeout(waiting);
        show("idle");
      },
      { once: true, signal },
    );
  }

  form.addEventListener(
    "submit",
    (event) => {
      const early = soonest - (performance.now() - firstSeen.get(token)!);
      const again = button.dataset.state === "sending";
      if (!again && early <= 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (again) return;
      show("sending");
      waiting = setTimeout(() => {
        show("idle");
        form.requestSubmit(event.submitter);
      }, early);
    },
    { capture: true, signal },
  );

  const own = (event: Event) => event.target === form;
  form.addEventListener("htmx:config:request", (event) => {
    if (!own(event)) return;
    clearTimeout(waiting);
    failed.hidden = true;
    show("sending");
    const context = contextOf(event);
    const photos = keepFiles(form);
    const body = context.request?.body;
    if (photos.length > 0 && wrong(form) && !checked.has(token) && body instanceof FormData) {
      // The fields go alone, and come back with the server's own messages; the photos stay here. Should the server see
      // nothing wrong, everything goes.
      checked.add(token);
      for (const name of photos) body.delete(name);
      body.set("check", photos.join(" "));
      return;
    }
    checked.delete(token);
    context.fetch = upload(form);
  });
  // An answer that is not this form's page (a proxy's, say) must not take the place of what was typed.
  form.addEventListener("htmx:after:request", (event) => {
    const { response, text } = contextOf(event);
    if (own(event) && response!.status >= 400 && !text!.includes(`id="${form.id}"`)) {
      event.preventDefault();
      notSent();
    }
  });
  form.addEventListener("htmx:error", (event) => own(event) && notSent());
  function notSent(): void {
    show("idle");
    failed.hidden = false;
    form.dispatchEvent(new CustomEvent("upload", { detail: undefined }));
  }

  // Enter leaves a line.
  form.addEventListener(
    "keydown",
    (event) => {
      const line = event.target as HTMLElement;
      if (
        event.key !== "Enter" ||
        event.isComposing ||
        !line.matches("input:not([type=checkbox], [type=file], [type=submit])")
      )
        return;
      event.preventDefault();
      line.blur();
    },
    { signal },
  );

  // A talent is left out of the message at once; the focus goes on to the next.
  form.addEventListener(
    "click",
    (event) => {
      const out = (event.target as Element).closest<HTMLElement>("button[name=without]");
      const talent = out?.closest("li");
      if (!talent) return;
      event.preventDefault();
      const next = talent.nextElementSibling ?? talent.previousElementSibling;
      talent.remove();
      (next?.querySelector("button") ?? form.querySelector<HTMLElement>("#enquired"))?.focus();
    },
    { signal },
  );

  const birthdate = form.querySelector<HTMLInputElement>("[name=birthdate]");
  if (birthdate) {
    const ask = () => (form.dataset.age = isMinor(birthdate.value) ? "minor" : "adult");
    birthdate.addEventListener("input", ask, { signal });
    ask();
    calendar(birthdate, signal);
  }
  putBack(form);
  if (form.querySelector("#errors"))
    checked.delete(token); // what is corrected is looked at again
  else if (checked.has(token)) setTimeout(() => form.requestSubmit());

  const gender = form.querySelector<HTMLSelectElement>("[name=gender]");
  for (const label of form.querySelectorAll("label:has([data-man])")) {
    const [woman, man] = label.children as unknown as [Element, Element];
    const say = () => label.replaceChildren(gender?.value === "man" ? man : woman);
    gender?.addEventListener("change", say, { signal });
    say();
  }
  masks(form, signal);
  forgive(form, signal);

  return Promise.resolve({
    update() {}, // it has no props
    unmount() {
      clearTimeout(waiting);
      gone.abort();
    },
  });
};
export default form;

/** isMinor reads dd/MM/yyyy or yyyy-MM-dd; a date that does not exist is nobody's. */
export function isMinor(text: string, today = new Date()): boolean {
  const parts =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})$/.exec(text);
  if (!parts) return false;
  const [, a, b, c] = parts.map(Number);
  const [year, month, day] = parts.groups ? [a!, b!, c!] : [c!, b!, a!];
  const born = new Date(year, month - 1, day);
  if (born.getMonth() !== month - 1 || born > today) return false;
  return new Date(year + adult, month - 1, day) > today;
}

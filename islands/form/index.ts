// The script of the two forms. htmx posts them; this shows their state, keeps what was typed if the connection fails,
// and gives early feedback. All decisions are the server's.
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
// The server takes a form that is sent sooner after it was shown for a program's, so people whose browser fills it in
// have to wait for the rest of this time.
const minFillTime = 2200;
const firstSeen = new Map<string, number>();
// Tokens of the forms whose fields were sent for validation, without their photos.
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

  // Sent: after a while the form is reset, unless the visitor has typed again. The address stays, so that a reload
  // shows the receipt.
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
      const early = minFillTime - (performance.now() - firstSeen.get(token)!);
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

  const isThisForm = (event: Event) => event.target === form;
  form.addEventListener("htmx:config:request", (event) => {
    if (!isThisForm(event)) return;
    clearTimeout(waiting);
    failed.hidden = true;
    show("sending");
    const context = contextOf(event);
    const photos = keepFiles(form);
    const body = context.request?.body;
    if (photos.length > 0 && wrong(form) && !checked.has(token) && body instanceof FormData) {
      // Only the fields are sent, and come back with the server's messages; the photos stay here. If the server finds
      // no error, everything is sent next time.
      checked.add(token);
      for (const name of photos) body.delete(name);
      body.set("check", photos.join(" "));
      return;
    }
    checked.delete(token);
    context.fetch = upload(form);
  });
  // An answer that is not this form's page (such as a proxy's) must not replace what was typed.
  form.addEventListener("htmx:after:request", (event) => {
    const { response, text } = contextOf(event);
    if (isThisForm(event) && response!.status >= 400 && !text!.includes(`id="${form.id}"`)) {
      event.preventDefault();
      notSent();
    }
  });
  form.addEventListener("htmx:error", (event) => isThisForm(event) && notSent());
  function notSent(): void {
    show("idle");
    failed.hidden = false;
    form.dispatchEvent(new CustomEvent("upload", { detail: undefined }));
  }

  // Enter counts as leaving the field.
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

  // A talent is removed from the message at once; the focus moves to the next.
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

/** isMinor accepts dd/MM/yyyy or yyyy-MM-dd; an invalid date is not a minor's. */
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

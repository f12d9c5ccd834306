// The script of the two forms. htmx posts them; this shows their state, keeps what was typed if the connection fails,
// and gives early feedback. All decisions are the server's.
import { adultAge } from "../../rules";
import type { Mount } from "../island";
import { ageOf, calendar } from "./form/calendar";
import { hasInvalidField, hideEntries, revalidate } from "./form/check";
import { keepTyped, rememberFiles, restoreFiles } from "./form/keep";
import { masks } from "./form/mask";

interface RequestContext {
  fetch?: typeof fetch;
  response?: { status: number };
  text?: string;
  request?: { body?: unknown };
}
const contextOf = (event: Event) => (event as CustomEvent<{ ctx: RequestContext }>).detail.ctx;

type State = "idle" | "sending" | "sent";

// The time (ms) after which a sent form is idle again.
const sentDuration = 2500;
// How many letters of a first name a receipt has room for.
const maxSender = 24;
// Tokens of the forms whose fields were sent for validation, without their photos.
const checked = new Set<string>();

// Who sent the form whose receipt comes next, so that it thanks by name. The name is stored nowhere else.
let sender = "";

/** thank makes the receipt thank by name and show the button as sent, before it is painted. */
function thank(): void {
  document.querySelector("button[data-state=sent]")?.closest("details")?.toggleAttribute("open", true);
  const heading = document.querySelector<HTMLElement>("[data-thanks]");
  if (heading && sender) heading.textContent = heading.dataset.thanks!.replace("{name}", () => sender);
}

const form: Mount = (root) => {
  const form = root.querySelector("form")!;
  const button = form.querySelector<HTMLButtonElement>("button[data-state]")!;
  const failed = form.querySelector<HTMLElement>("[data-failed]")!;
  const token = form.querySelector<HTMLInputElement>("[name=form_token]")!.value;
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setState(state: State): void {
    button.dataset.state = state;
    button.textContent = button.dataset[state] ?? "";
  }

  // Sent: the form around its button opens, which is all that is seen of it, and after a while it is closed and reset,
  // unless the visitor has typed again. The address stays, so that a reload shows the receipt.
  if (button.dataset.state === "sent") {
    const again = form.closest("details");
    again?.toggleAttribute("open", true);
    timer = setTimeout(() => {
      again?.toggleAttribute("open", false);
      setState("idle");
      form.reset();
    }, sentDuration);
    form.addEventListener(
      "input",
      () => {
        clearTimeout(timer);
        setState("idle");
      },
      { once: true, signal },
    );
  }

  form.addEventListener(
    "submit",
    (event) => {
      if (button.dataset.state !== "sending") return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true, signal },
  );

  const { forget } = keepTyped(form, signal);
  document.addEventListener("htmx:after:swap", thank); // stays when this form is gone, once for all forms
  const isThisForm = (event: Event) => event.target === form;
  form.addEventListener("htmx:config:request", (event) => {
    if (!isThisForm(event)) return;
    clearTimeout(timer);
    const name = form.querySelector<HTMLInputElement>("[name=name], [name=realname]")?.value.trim() ?? "";
    sender = name.split(/\s+/)[0]!.slice(0, maxSender);
    failed.hidden = true;
    forget();
    setState("sending");
    const context = contextOf(event);
    const body = context.request?.body as FormData;
    const photos = rememberFiles(body);
    if (photos.length > 0 && hasInvalidField(form) && !checked.has(token)) {
      // Only the fields are sent, and come back with the server's messages; the photos stay here. If the server finds
      // no error, everything is sent next time.
      checked.add(token);
      for (const name of photos) body.delete(name);
      body.set("check", photos.join(" "));
      return;
    }
    checked.delete(token);
    if (photos.length === 0) return;
    context.fetch = async (...request) => {
      const loaded = await import("./form/upload").catch(() => undefined); // without it, nothing shows the progress
      return (loaded?.upload(form) ?? fetch)(...request);
    };
  });
  // A response that is not this form's page (such as a proxy's) must not replace what was typed.
  form.addEventListener("htmx:after:request", (event) => {
    const { response, text } = contextOf(event);
    if (isThisForm(event) && response!.status >= 400 && !text!.includes(`id="${form.id}"`)) {
      event.preventDefault();
      showFailure(response!.status);
    }
  });
  form.addEventListener("htmx:error", (event) => isThisForm(event) && showFailure());
  const connectionFailed = failed.textContent;
  function showFailure(status?: number): void {
    setState("idle");
    const sizes = sizesOf(new FormData(form), document.documentElement.lang);
    failed.textContent =
      status === 413 && sizes ? failed.dataset.tooLarge!.replace("{sizes}", sizes) : connectionFailed;
    failed.hidden = false;
    form.dispatchEvent(new CustomEvent("upload", { detail: undefined }));
  }

  // Enter leaves the field instead of submitting the form.
  form.addEventListener(
    "keydown",
    (event) => {
      const input = event.target as HTMLElement;
      if (
        event.key !== "Enter" ||
        event.isComposing ||
        !input.matches("input:not([type=checkbox], [type=file], [type=submit])")
      )
        return;
      event.preventDefault();
      input.blur();
    },
    { signal },
  );

  // A talent is removed from the message at once; the focus moves to the next.
  form.addEventListener(
    "click",
    (event) => {
      const removeButton = (event.target as Element).closest<HTMLElement>("button[name=without]");
      const talent = removeButton?.closest("li");
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
    const updateAge = () => {
      form.dataset.age = isMinor(birthdate.value) ? "minor" : "adult";
      hideEntries(form, (control) => control.offsetParent === null); // their fields have gone
    };
    calendar(birthdate, signal);
    for (const type of ["input", "change"]) birthdate.addEventListener(type, updateAge, { signal });
    updateAge();
  }
  restoreFiles(form);
  if (form.querySelector("#errors"))
    checked.delete(token); // validate again after the corrections
  else if (checked.has(token)) setTimeout(() => button.click());

  masks(form, signal);
  if (form.querySelector("input[list]")) {
    const load = () =>
      void import("./form/sizes").then(
        ({ sizes }) => signal.aborted || sizes(form, signal),
        () => {}, // the other unit is a comfort
      );
    form.addEventListener("focusin", load, { once: true, signal });
  }
  revalidate(form, signal);

  return Promise.resolve({
    update() {}, // it has no props
    unmount() {
      clearTimeout(timer);
      controller.abort();
    },
  });
};
export default form;

/** isMinor reports whether a date of birth is a minor's; an invalid one is not. */
export function isMinor(birthdate: string, today?: Date): boolean {
  return (ageOf(birthdate, today) ?? adultAge) < adultAge;
}

/** sizesOf returns the sizes of a form's photos in MB, and what they are together; "" without photos. */
export function sizesOf(form: FormData, lang: string): string {
  const sizes = [...form.values()]
    .filter((value) => value instanceof File && value.size > 0)
    .map((file) => Math.ceil(((file as File).size / 2 ** 20) * 10) / 10);
  const format = (size: number) => size.toLocaleString(lang, { maximumFractionDigits: 1 });
  const together = sizes.length > 1 ? ` = ${format(sizes.reduce((sum, size) => sum + size))}` : "";
  return sizes.map(format).join(" + ") + together;
}

// The enquiry below a shortlist. Its form is the contact page's for the same talents and is loaded when it becomes
// visible, because the service worker caches shortlists and forms must not be cached. Without this script there is the
// form of a session's shortlist, or a link to the contact page.
import type { Mount } from "../boot/island";

/** The same as enquiryProps in views/favorites.templ. */
interface Props {
  ids: string[];
  contact: string; // the contact page for these talents
}

async function fetched(address: string, what: string): Promise<Element> {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector(what);
  if (!found) throw new Error(`${address} answers ${answer.status}, without ${what}`);
  return found;
}

const enquiry: Mount<Props> = async (root, { ids, contact }) => {
  if (!root.querySelector("form")) {
    const form = await fetched(contact, "[data-island=form]");
    form.querySelector("form")!.removeAttribute("data-hx-replace-url"); // so that Back leads to the shortlist
    root.replaceChildren(form);
    (window as unknown as { htmx: { process(root: Element): void } }).htmx.process(root);
  }
  const list = root.querySelector("#enquired + ul")!;
  const shown = (within: Element) => [...within.querySelectorAll<HTMLInputElement>("[name=ids]")];

  // Talents removed from the shortlist are removed from the message, and added again with it. Talents removed from the
  // message only stay removed, and typed text is kept.
  async function follow(next: Props): Promise<void> {
    for (const { value } of shown(list).filter(({ value }) => !next.ids.includes(value)))
      list
        .querySelector(`[value="${CSS.escape(value)}"]`)!
        .closest("li")!
        .remove();
    const back = next.ids.filter((id) => !ids.includes(id));
    ids = next.ids;
    if (back.length === 0) return;
    const anew = await fetched(next.contact, "#enquired + ul");
    for (const input of shown(anew))
      if (back.includes(input.value) && ids.includes(input.value)) list.append(input.closest("li")!);
  }
  return { update: (next) => void follow(next), unmount() {} };
};

export default enquiry;

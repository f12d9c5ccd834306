// The enquiry below a shortlist. Its form is the contact page's for the same talents and is loaded when it becomes
// visible, because shortlists are cached and forms must not be. Without this script there is the
// form of a session's shortlist, or a link to the contact page.
import type { Mount } from "../island";

/** The same as enquiryProps in views/favorites.templ. */
interface Props {
  ids: string[];
  contact: string; // the contact page for these talents
}

async function fetchElement(address: string, selector: string): Promise<Element> {
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const element = page.querySelector(selector);
  if (!element) throw new Error(`${address} answered ${response.status} without ${selector}`);
  return element;
}

const enquiry: Mount<Props> = async (root, { ids, contact }) => {
  if (!root.querySelector("form")) {
    const form = await fetchElement(contact, "[data-island=form]");
    form.querySelector("form")!.removeAttribute("data-hx-replace-url"); // so that Back leads to the shortlist
    root.replaceChildren(form);
    const { htmx } = window as unknown as { htmx?: { process(root: Element): void } };
    htmx?.process(root); // else it will process the whole page when it has loaded (islands/boot/htmx.ts)
  }
  const list = root.querySelector("#enquired + ul")!;
  const idInputs = (within: Element) => [...within.querySelectorAll<HTMLInputElement>("[name=ids]")];

  // Talents removed from the shortlist are removed from the message, and added again with it. Talents removed from the
  // message only stay removed, and typed text is kept.
  async function update(next: Props): Promise<void> {
    for (const { value } of idInputs(list).filter(({ value }) => !next.ids.includes(value)))
      list
        .querySelector(`[value="${CSS.escape(value)}"]`)!
        .closest("li")!
        .remove();
    const added = next.ids.filter((id) => !ids.includes(id));
    ids = next.ids;
    if (added.length === 0) return;
    const freshList = await fetchElement(next.contact, "#enquired + ul");
    for (const input of idInputs(freshList))
      if (added.includes(input.value) && ids.includes(input.value)) list.append(input.closest("li")!);
  }
  return { update: (next) => void update(next), unmount() {} };
};

export default enquiry;

// What islands share: a component hydrates the markup that the server rendered into its root, and leaves parts alone
// that only the server renders.
import {
  type ComponentType,
  type ElementType,
  type HTMLAttributes,
  type ReactNode,
  useLayoutEffect,
} from "react";
import { hydrateRoot } from "react-dom/client";
import type { Mount } from "./boot/island";

/** island makes an island of a component. Its props are those of the island's element (views/ui/island.templ). */
export function island<Props extends object>(Component: ComponentType<Props>): Mount<Props> {
  return async (root, props) => {
    if (root.querySelectorAll("*").length !== Number(root.dataset.elements)) return plain;
    removeSpace(root);
    let onHydrated!: () => void;
    const hydrated = new Promise<void>((resolve) => (onHydrated = resolve));
    const render = (props: Props) => (
      <Hydrated onHydrated={onHydrated}>
        <Component {...props} />
      </Hydrated>
    );
    const reactRoot = hydrateRoot(root, render(props));
    await hydrated; // hydration is asynchronous, and a held click needs the event handlers
    return { update: (props) => reactRoot.render(render(props)), unmount: () => reactRoot.unmount() };
  };
}

// Where something was put into the island before, the server's page stays as it is, links and all.
const plain = { update() {}, unmount() {} };

/** removeSpace removes the white space between elements, where a component renders no text. */
function removeSpace(root: HTMLElement): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const blank: Text[] = [];
  while (texts.nextNode()) if (!texts.currentNode.nodeValue!.trim()) blank.push(texts.currentNode as Text);
  for (const text of blank) text.remove();
}

function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useLayoutEffect(onHydrated, [onHydrated]);
  return children;
}

const emptyHTML = { __html: "" };

/** Kept is an element that the server rendered: its content, and attributes not named here, stay unchanged. */
export function Kept({ as: Tag = "div", ...attributes }: { as?: ElementType } & HTMLAttributes<HTMLElement>) {
  return <Tag {...attributes} suppressHydrationWarning dangerouslySetInnerHTML={emptyHTML} />;
}

/** KeptIcon is an icon that the server rendered (ui.Icon). */
export function KeptIcon() {
  return <Kept as="svg" aria-hidden="true" />;
}

/** Icon is an icon that the component renders itself, like ui.Icon. href is its address in the sprite. */
export function Icon({ href, size = "size-4.5" }: { href: string; size?: string }) {
  return (
    <svg className={`icon ${size}`} aria-hidden="true">
      <use href={href} />
    </svg>
  );
}

/** prefersReducedMotion reports whether the visitor prefers less animation. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

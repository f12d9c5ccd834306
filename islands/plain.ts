type Keys = Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey"> & { button?: number };

/** isPlain is false for clicks that open a new tab or window, or download the link, and for keys of a shortcut. */
export const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: Keys): boolean =>
  !button && !ctrlKey && !metaKey && !shiftKey && !altKey;

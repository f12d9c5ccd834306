/**
 * shared hands an address to the system, or to the clipboard, which it reports. Where neither is
 * allowed the browser goes on to another address instead.
 */
export async function shared(address: string, title: string, instead: string): Promise<boolean> {
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ url: address, title });
      return false;
    }
    await navigator.clipboard.writeText(address);
    return true;
  } catch (error) {
    if ((error as Error).name !== "AbortError") location.assign(instead); // the visitor didn't close the sheet
    return false;
  }
}

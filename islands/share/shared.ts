/**
 * shared opens the system's share sheet for an address, or copies it, in which case it returns true. If neither is
 * allowed, the browser goes to another address instead.
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
    if ((error as Error).name !== "AbortError") location.assign(instead); // AbortError: the visitor closed the sheet
    return false;
  }
}

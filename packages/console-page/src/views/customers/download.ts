import type { Download } from '@laurel/client';

/** Gives a text to the member, as a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the browser fetch a file to its disk: an address that is good once, since a link cannot carry the session. */
export function fetchFile({ url }: Download): void {
  const link = document.createElement('a');
  // Where this page was reached by another name than the platform's own, its session is there, too.
  const { pathname } = new URL(url);
  link.href = pathname;
  link.click();
}

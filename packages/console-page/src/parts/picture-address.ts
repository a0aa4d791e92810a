const FILE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ADDRESS = /^(https?:\/)?\//i;

/**
 * Where the browser finds a picture: a file of the workspace in the size that is asked for, an address as it is. Null for
 * what names none by itself, such as the placeholder of a card for a picture of each client.
 */
export function pictureAddress(source: string, size: string): string | null {
  const named = source.trim();
  if (FILE.test(named)) return `/assets/${named}?${size}`;
  return ADDRESS.test(named) ? named : null;
}

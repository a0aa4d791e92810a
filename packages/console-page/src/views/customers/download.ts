/** Gives a text to whoever sits here, as a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Fetches a file as whoever is signed in: a plain link could not carry the session. */
export async function download(send: typeof fetch, address: string, name: string): Promise<void> {
  const answer = await send(address);
  if (!answer.ok) throw new Error(`the file answered ${answer.status}`);
  saveFile(await answer.blob(), name);
}

/** The address of an inbox; complete only while its token is known. */
export function ingestUrl(publicUrl: string, inboxId: string, token?: string): string {
  const inbox = `${publicUrl.replace(/\/+$/, '')}/inbox/${inboxId}`;
  return token === undefined ? inbox : `${inbox}/${token}`;
}

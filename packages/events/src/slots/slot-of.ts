import type { CloudEvent } from '../envelope';

/** Into how many parts the events of a service are divided (docs/adr/0040). Rows and queues are named by it: it never changes. */
export const SLOTS = 16;

/** All slots, in order. */
export const EVERY_SLOT: readonly number[] = Array.from({ length: SLOTS }, (_, slot) => slot);

/** Says the slot of a message, as text. Headers that begin with `x-` are not looked at by exchanges. */
export const SLOT_HEADER = 'laurel-slot';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The slot of an event, from 0 to 15: the same for all events about one subject of a workspace, which is the client if there is one. */
export function slotOf({ workspaceid = '', subject }: Pick<CloudEvent, 'workspaceid' | 'subject'>) {
  let hash = FNV_OFFSET;
  const key = `${workspaceid} ${subject}`;
  for (let at = 0; at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME) >>> 0;
  // The lowest bits of FNV follow the last letter: the highest are mixed in.
  return ((hash ^ (hash >>> 16)) >>> 0) % SLOTS;
}

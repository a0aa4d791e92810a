import type { Connection, Erasure, Merge, Session } from '@laurel/mongo';
import { erasedData } from '../catalogue/erased';
import { COLLECTION, type OutboxRow } from './outbox';

const BATCH = 500;

/**
 * Takes out of the events that are kept for replays who a client was; events that say so no longer stay. What has not left
 * yet may still leave as it was, before the event that tells of the erasure. Repeating it is harmless.
 */
export async function erasePersonInOutbox(
  connection: Connection,
  { workspaceId, clientId }: Pick<Erasure, 'workspaceId' | 'clientId'>,
  session?: Session,
): Promise<void> {
  const rows = connection.collection<OutboxRow>(COLLECTION);
  const ofPerson = { person: clientId, 'event.workspaceid': workspaceId };
  for (;;) {
    const found = await rows
      .find(ofPerson, { projection: { event: 1 }, session })
      .limit(BATCH)
      .toArray();
    if (found.length === 0) return;
    const updates = found.map(({ _id, event }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $set: { 'event.data': erasedData(event.type, event.data) },
          $unset: { person: '' as const },
        },
      },
    }));
    await rows.bulkWrite(updates, { ordered: false, session });
  }
}

/** What a merged client's events tell is from now on the target's. Repeating it is harmless. */
export async function movePersonInOutbox(
  connection: Connection,
  { workspaceId, source, target }: Merge,
  session?: Session,
): Promise<void> {
  const rows = connection.collection<OutboxRow>(COLLECTION);
  const ofSource = { person: source, 'event.workspaceid': workspaceId };
  await rows.updateMany(ofSource, { $set: { person: target } }, { session });
}

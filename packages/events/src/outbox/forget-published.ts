import { type Connection, deletePiece } from '@laurel/mongo';
import { outboxRows } from './outbox-rows';

const SWEEPS = 'outbox_sweeps';
/** Longer than any roll-out stops a service; shorter than what rows are kept for by as much as a replay goes back. */
const ABSENCE_MS = 3_600_000;

/** When the outbox was last looked through, and until when nothing of it may go. */
interface SweepRow {
  _id: 'published';
  swept_at: Date;
  held_until: Date;
}

/**
 * Removes a piece of what was published longer than `keptMs` ago; says whether more is due.
 *
 * A replay after a restore needs what had left before the moment of the backup, and by the clock that is older than it was
 * to its service. So where no process looked for an hour, because services were away or because this database is a restored
 * one, nothing goes for another `keptMs` (docs/adr/0033).
 */
export async function forgetPublished(
  connection: Connection,
  keptMs: number,
  now = new Date(),
): Promise<{ more: boolean }> {
  if (await isHeld(connection, keptMs, now)) return { more: false };
  const isOld = { published_at: { $lt: new Date(now.getTime() - keptMs) } };
  // A replay may make one of them pending meanwhile: that one stays.
  const { more } = await deletePiece(connection, outboxRows.collection, isOld);
  return { more };
}

async function isHeld(connection: Connection, keptMs: number, now: Date): Promise<boolean> {
  const sweeps = connection.collection<SweepRow>(SWEEPS);
  const last = await sweeps.findOne({ _id: 'published' });
  const wasAway = !last || now.getTime() - last.swept_at.getTime() > ABSENCE_MS;
  const heldUntil = wasAway ? new Date(now.getTime() + keptMs) : last.held_until;
  await sweeps.updateOne(
    { _id: 'published' },
    { $set: { swept_at: now }, $max: { held_until: heldUntil } },
    { upsert: true },
  );
  return now < heldUntil;
}

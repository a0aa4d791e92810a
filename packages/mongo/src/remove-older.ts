import type { Connection } from 'mongoose';
import { deletePiece } from './delete-in-pieces';

/** After so many a run ends, so that an operator who stops the service need not wait for a year's rows. */
const ENOUGH = 50_000;

export interface Older {
  collection: string;
  /** A time; together with `workspace_id` it leads an index. */
  column: string;
  before: Date;
  /** What else must hold of a row that may go. */
  where?: Readonly<Record<string, unknown>>;
}

interface TenantRow {
  _id: string;
  workspace_id: string;
}

/**
 * Removes rows of a past that is no longer kept, workspace by workspace and a piece at a time: an index by time alone
 * would cost every write for what is asked once a day. Says whether it ended before all were gone.
 */
export async function removeOlder(
  connection: Connection,
  { collection, column, before, where = {} }: Older,
): Promise<{ more: boolean }> {
  const rows = connection.collection<TenantRow>(collection);

  /** The workspace that comes after another, by one look at the index. */
  async function tenantAfter(id: string): Promise<string | undefined> {
    const options = { projection: { workspace_id: 1 }, sort: { workspace_id: 1 } } as const;
    return (await rows.findOne({ workspace_id: { $gt: id } }, options))?.workspace_id;
  }

  let removed = 0;
  let tenant = await tenantAfter('');
  while (tenant !== undefined) {
    const isOld = { ...where, workspace_id: tenant, [column]: { $lt: before } };
    const { found, more } = await deletePiece(connection, collection, isOld);
    removed += found;
    if (removed >= ENOUGH) return { more: true };
    if (!more) tenant = await tenantAfter(tenant);
  }
  return { more: false };
}

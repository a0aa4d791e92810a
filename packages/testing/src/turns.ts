import { newId } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Room } from '@laurel/work';

/** How much more the noisy tenant has due, all of it for longer. */
const NOISE = 40;
const ROOM: Room = { count: 4, share: 2, inHand: new Map() };

/** What a store keeps of one kind of due work. */
export interface DueRows {
  collection: string;
  /** The column that says when a row is due. */
  due: string;
  /** The column by which turns are taken. */
  by?: string;
  /** What else a row needs to be due and read. */
  row?: (tenant: string) => object;
}

/**
 * Puts much work of one tenant, all of it overdue for years, before one piece of another that has only just become due,
 * and says of whom the first claim with room for four pieces, two of a tenant, takes some: a fair one takes
 * `['noisy', 'noisy', 'quiet']` (docs/adr/0012).
 */
export async function firstClaim(
  connection: Connection,
  { collection, due, by = 'workspace_id', row = () => ({}) }: DueRows,
  { now, claim }: { now: Date; claim: (room: Room) => Promise<readonly object[]> },
): Promise<string[]> {
  const made = (tenant: string, at: Date) => ({
    _id: newId(),
    workspace_id: tenant,
    [by]: tenant,
    [due]: at,
    ...row(tenant),
  });
  const rows = connection.collection<{ _id: string }>(collection);
  await rows.insertMany([
    ...Array.from({ length: NOISE }, (_, number) => made('noisy', new Date(number))),
    made('quiet', new Date(now.getTime() - 1)),
  ]);
  return (await claim(ROOM)).map(tenantOf).sort();
}

/** Of whom a claimed row is, or the id of a rule, which is taken on without a claim. */
function tenantOf(piece: object): string {
  const { turn, workspaceId, workspace_id } = piece as {
    turn?: string;
    workspaceId?: string;
    workspace_id?: string;
  };
  return turn ?? workspaceId ?? workspace_id ?? '';
}

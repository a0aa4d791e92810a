import { isDuplicateKey, type Rows } from '@laurel/mongo';

/** How many of something there are, and by whom the latest were claimed. */
export interface ClaimDocument {
  _id: string;
  workspace_id: string;
  count: number;
  recent: string[];
  expires_at?: Date;
}

export interface Claim {
  id: string;
  workspaceId: string;
  /** Who claims again has what they claimed before. */
  member: string;
  /** null: as many as come. */
  max: number | null;
  expiresAt?: Date;
}

/** How many of the latest claims are known from new ones; a repeat comes sooner than so many others. */
const REMEMBERED = 200;

/**
 * Claims one of at most `max`; false where all are taken. One write decides, so that any number may come at once without
 * being in each other's way.
 */
export async function claim(rows: Rows<ClaimDocument>, wanted: Claim): Promise<boolean> {
  const { id, workspaceId, member, max, expiresAt } = wanted;
  const own = rows.of(workspaceId);
  for (;;) {
    const free = { _id: id, recent: { $ne: member } };
    const { matchedCount } = await own.updateOne(
      max === null ? free : { ...free, count: { $lt: max } },
      { $inc: { count: 1 }, $push: { recent: { $each: [member], $slice: -REMEMBERED } } },
    );
    if (matchedCount === 1) return true;
    const known = await own.findOne({ _id: id });
    if (known?.recent.includes(member)) return true;
    if (known && max !== null && known.count >= max) return false;
    if (known) continue;
    const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt };
    const first = { _id: id, workspace_id: workspaceId, count: 1, recent: [member], ...expiry };
    if (await inserted(rows, first)) return true;
  }
}

/** Gives one back; nothing happens where it was not claimed. */
export async function unclaim(
  rows: Rows<ClaimDocument>,
  { id, workspaceId, member }: Pick<Claim, 'id' | 'workspaceId' | 'member'>,
): Promise<void> {
  await rows
    .of(workspaceId)
    .updateOne({ _id: id, recent: member }, { $inc: { count: -1 }, $pull: { recent: member } });
}

async function inserted(rows: Rows<ClaimDocument>, row: ClaimDocument): Promise<boolean> {
  try {
    await rows.insertOne(row);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

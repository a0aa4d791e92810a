import {
  type Connection,
  collection,
  type Merge,
  orStale,
  type Session,
  type Unit,
} from '@laurel/mongo';
import { isLater, type Position, takenOver } from '@laurel/values/position';

/** What events need to know of a pass: whose it is. A read model of the passes service. */
export interface IndexedPass {
  passId: string;
  workspaceId: string;
  clientId: string | null;
  templateId: string;
}

/** Whether a pass was on a device, as of something that happened to it. */
export interface Installation {
  passId: string;
  installed: boolean;
  at: Date;
}

interface PassDocument {
  _id: string;
  workspace_id: string;
  client_id: string | null;
  /** null while nothing but its installation is known. */
  template_id: string | null;
  /** Time of the event it was learned from: an older one changes nothing. */
  as_of: Date;
  /** How often the pass had been written by then; null where that was not said, absent in rows of earlier releases. */
  revision?: number | null;
  installed?: boolean;
  /** Time of what `installed` was learned from. */
  installed_as_of?: Date;
  /** Set once the pass is gone: a late event must not bring it back. */
  deleted?: boolean;
}

export const passIndex = collection<PassDocument>('pass_index', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: handOn,
    anonymized: 'stays: ids alone',
    // Before the passes service tells.
    deleted: { set: { deleted: true, client_id: null } },
    exported: 'withheld: the passes service shows them',
  },
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'of_client' }],
});

export function createPassIndexStore(connection: Connection) {
  const rows = passIndex.open(connection);

  async function write(
    { passId, workspaceId, templateId }: IndexedPass,
    { asOf, ...columns }: Pick<PassDocument, 'client_id' | 'deleted'> & { asOf: Position },
    session: Session,
  ): Promise<string[]> {
    const own = rows.of(workspaceId);
    const known = await own.findOne({ _id: passId }, { session });
    const knownAsOf = known && { at: known.as_of, revision: known.revision ?? null };
    const isOld = known?.deleted || (knownAsOf !== null && isLater(knownAsOf, asOf));
    if (isOld && !columns.deleted) return [];
    const { at: as_of, revision } = takenOver(asOf, knownAsOf);
    const change = { $set: { ...columns, as_of, revision, template_id: templateId } };
    await orStale('the pass', own.updateOne({ _id: passId }, change, { upsert: true, session }));
    return [known?.client_id, columns.client_id].filter((id) => typeof id === 'string');
  }

  return {
    /** Passes by their ids; `gone` were deleted, `unheard` are those of which no event has come yet. */
    async lookUp(passIds: readonly string[]) {
      const known = await rows.ofEverybody.find({ _id: { $in: [...passIds] } }).toArray();
      // That it was installed may be heard of before the pass itself is.
      const told = known.filter((row) => row.deleted || row.template_id !== null);
      const heard = new Set(told.map((row) => row._id));
      const found = told.filter((row) => !row.deleted).map(toIndexedPass);
      const gone = told.filter((row) => row.deleted).map(toIndexedPass);
      return { found, gone, unheard: passIds.filter((id) => !heard.has(id)) };
    },

    /** Says which clients had the pass before and have it now. */
    put: (pass: IndexedPass, asOf: Position, session: Session): Promise<string[]> =>
      write(pass, { client_id: pass.clientId, asOf }, session),

    /** Says which client had the pass. */
    remove: (pass: IndexedPass, asOf: Position, session: Session): Promise<string[]> =>
      write(pass, { client_id: null, deleted: true, asOf }, session),

    /**
     * Notes that a pass came onto a device or went from its last one; older news than what is known
     * change nothing. It may come before the pass itself does. Says which client has the pass.
     */
    async noteInstallation(
      workspaceId: string,
      { passId, installed, at }: Installation,
      session: Session,
    ): Promise<string | null> {
      const own = rows.of(workspaceId);
      const known = await own.findOne({ _id: passId }, { session });
      if (known?.installed_as_of && known.installed_as_of > at) return null;
      const change = {
        $set: { installed, installed_as_of: at },
        $setOnInsert: { client_id: null, template_id: null, as_of: new Date(0) },
      };
      await orStale('the pass', own.updateOne({ _id: passId }, change, { upsert: true, session }));
      return known?.client_id ?? null;
    },

    /** The passes of clients, each with whether it is on a device. */
    async ofClients(
      workspaceId: string,
      clientIds: readonly string[],
      session: Session,
    ): Promise<(IndexedPass & { installed: boolean })[]> {
      const filter = { client_id: { $in: [...clientIds] } };
      const held = await rows.of(workspaceId).find(filter, { session }).toArray();
      return held
        .filter((row) => !row.deleted && row.template_id !== null)
        .map((row) => ({ ...toIndexedPass(row), installed: row.installed ?? false }));
    },
  };
}

/** Hands a client's passes on; where both have one on a template the target's stays its only one. */
async function handOn(
  { rows, session }: Unit<PassDocument>,
  { source, target }: Merge,
): Promise<void> {
  const taken = await rows.find({ client_id: target }, { session }).toArray();
  const templates = taken.map((row) => row.template_id);
  const doubles = { client_id: source, template_id: { $in: templates } };
  await rows.updateMany(doubles, { $set: { client_id: null } }, { session });
  await rows.updateMany({ client_id: source }, { $set: { client_id: target } }, { session });
}

function toIndexedPass(row: PassDocument): IndexedPass {
  return {
    passId: row._id,
    workspaceId: row.workspace_id,
    clientId: row.client_id,
    templateId: row.template_id!,
  };
}

import { type Connection, collection, orStale, type Session, StaleWrite } from '@laurel/mongo';

/** The files that own things of a workspace (docs/adr/0022). */
export interface ProgrammeRow {
  /** Workspace and name: there is one of a name. */
  _id: string;
  workspace_id: string;
  name: string;
  revision: number;
  date_updated: Date;
  /** Whose turn it is to apply them; of before turns were taken there is none. */
  turn?: Turn | null;
}

/** Who a thing or a turn is of. */
type By = { type: string; id: string | null; email: string | null };

/** That somebody is applying the files of a programme, so that no other does; or was the last to write here. */
export interface Turn {
  /** The holder of the turn knows this. */
  id: string;
  /** It ends by itself: who holds it may be gone. One that is over tells whose last word may come again. */
  until: Date;
  by: By;
}

/** A thing that a programme owns, and how it was when that was last applied. */
export interface ManagedRow {
  /** Workspace, kind and key: of two programmes that want it, one has it. */
  _id: string;
  workspace_id: string;
  programme: string;
  kind: string;
  key: string;
  fields: { name: string; digest: string }[];
  applied_at: Date;
  by: By;
}

export const programmes = collection<ProgrammeRow>('programmes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: { per: 'programme', end: 'stays: what a workspace has set up', shardKey: 'whole' },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

export const managedThings = collection<ManagedRow>('managed_things', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: { per: 'thing of a programme', end: 'stays: until no file names it', shardKey: 'whole' },
  indexes: [{ key: { workspace_id: 1, programme: 1 }, name: 'of_programme' }],
});

type Named = Pick<ManagedRow, 'kind' | 'key'>;

export const managedId = (workspaceId: string, { kind, key }: Named): string =>
  `${workspaceId}:${kind}:${key}`;

const IN_ORDER = { kind: 1, key: 1 } as const;

export function createProgrammeStore(connection: Connection) {
  const rows = programmes.open(connection);
  const things = managedThings.open(connection);
  const idOf = (workspaceId: string, name: string) => `${workspaceId}:${name}`;
  const named = (workspaceId: string, ids: readonly string[], session: Session) =>
    things.of(workspaceId).find({ _id: { $in: [...ids] } }, { session });

  return {
    find: (workspaceId: string, name: string, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: idOf(workspaceId, name) }, { session }),

    /** Of a workspace, by name. */
    list: (workspaceId: string) => rows.of(workspaceId).find({}).sort({ name: 1 }).toArray(),

    /** What any of them owns, without how it was applied; by kind and key. */
    allManaged: (workspaceId: string) =>
      things
        .of(workspaceId)
        .find({}, { projection: { fields: 0, by: 0 } })
        .sort(IN_ORDER)
        .toArray(),

    /** By kind and key. */
    managed: (workspaceId: string, programme: string, session?: Session) =>
      things.of(workspaceId).find({ programme }, { session }).sort(IN_ORDER).toArray(),

    /** Those of some things that any programme owns; by kind and key. */
    owned: (workspaceId: string, ids: readonly string[], session: Session) =>
      named(workspaceId, ids, session).sort(IN_ORDER).toArray(),

    /** Writes the next revision of what was read (null: there was none). Throws StaleWrite where it is another by now. */
    async advance(
      workspaceId: string,
      {
        name,
        before,
        now,
        turn,
      }: { name: string; before: ProgrammeRow | null; now: Date; turn: Turn | null },
      session: Session,
    ): Promise<ProgrammeRow> {
      const _id = idOf(workspaceId, name);
      const revision = (before?.revision ?? 0) + 1;
      const columns = { name, revision, date_updated: now, turn };
      const row = { _id, workspace_id: workspaceId, ...columns };
      if (!before) {
        await orStale('the programme', rows.insertOne(row, { session }));
        return row;
      }
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne({ _id, revision: before.revision }, { $set: columns }, { session });
      if (matchedCount === 0) throw new StaleWrite('the programme');
      return row;
    },

    async release(workspaceId: string, ids: readonly string[], session: Session): Promise<void> {
      if (ids.length === 0) return;
      await things.of(workspaceId).deleteMany({ _id: { $in: [...ids] } }, { session });
    },

    /** Throws StaleWrite where another programme has taken one meanwhile: who has it is then to be seen. */
    async take(taken: readonly ManagedRow[], session: Session): Promise<void> {
      if (taken.length === 0) return;
      await orStale('what a programme owns', things.insertMany(taken, { session }));
    },
  };
}

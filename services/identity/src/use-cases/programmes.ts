import { currentContext } from '@laurel/lifecycle';
import { commitOnce, etagOf, requireUnchanged, type Session, versionOf } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { type ManagedRow, managedId, type ProgrammeRow, type Turn } from '../store/programmes';

type ProgrammeDeps = Pick<Deps, 'connection' | 'programmes' | 'workspaces' | 'clock'>;

/** What the files of a programme own, and how it was when it was last applied. */
export async function getProgramme(
  { programmes, clock }: Pick<Deps, 'programmes' | 'clock'>,
  { workspace_id: workspaceId, name }: identity.ProgrammeRequest,
): Promise<identity.Programme> {
  const row = await programmes.find(workspaceId, name);
  if (!row) throw refusals.programmeNotFound();
  return toReply(row, await programmes.managed(workspaceId, name), clock.now());
}

/** What the programmes of a workspace own, for a member who is about to change it by hand. */
export async function listProgrammes(
  { programmes }: Pick<Deps, 'programmes'>,
  { workspace_id: workspaceId }: identity.WorkspaceRequest,
): Promise<identity.ProgrammeList> {
  const [rows, things] = await Promise.all([
    programmes.list(workspaceId),
    programmes.allManaged(workspaceId),
  ]);
  const data = rows.map(({ name, date_updated }) => ({
    name,
    managed: things
      .filter(({ programme }) => programme === name)
      .map(({ kind, key }) => ({ kind, key })),
    date_updated: date_updated.toISOString(),
  }));
  return { data };
}

/**
 * Says all that a programme owns, or what of it is otherwise (a page of many), or only whose turn it is to apply it: while
 * one has the turn, no other says anything. Who said a thing first, and when, stays with it for as long as its fields do;
 * what is not named has no owner from then on. Two at once: one is decided after the other, or refused under If-Match. The
 * last word of a turn may be said again under the version before it: its answer may have been lost.
 */
export async function putProgramme(
  deps: ProgrammeDeps,
  request: identity.PutProgrammeRequest,
): Promise<identity.Programme> {
  const { workspace_id: workspaceId, name, keeps_managed: isPart, turn } = request;
  const { actor } = currentContext();
  const now = deps.clock.now();
  const by = { type: actor.type, id: actor.id, email: actor.email ?? null };
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.workspaces.find(workspaceId, session))) throw refusals.notAMember();
    const before = await deps.programmes.find(workspaceId, name, session);
    requireTurn(before?.turn, { asked: turn?.id, now });
    const isOwnWord = turn !== undefined && before?.turn?.id === turn.id;
    if (!isOwnWord) requireUnchanged(before && versionOf(before));
    const until = new Date(now.getTime() + (turn?.seconds ?? 0) * 1_000);
    const taken = turn ? { id: turn.id, until, by } : null;
    const change = { name, before, now, turn: taken };
    const row = await deps.programmes.advance(workspaceId, change, session);
    const things = isPart ? request.changed : request.managed;
    const wanted = things.map(({ kind, key, fields }): ManagedRow => {
      const said = { programme: name, kind, key, fields: inOrder(fields), applied_at: now, by };
      return { _id: managedId(workspaceId, { kind, key }), workspace_id: workspaceId, ...said };
    });
    const released = isPart ? request.released.map((one) => managedId(workspaceId, one)) : null;
    await write(deps, { workspaceId, name, wanted, released }, session);
    const told = request.tells_named
      ? await deps.programmes.owned(workspaceId, idsOf(wanted), session)
      : await deps.programmes.managed(workspaceId, name, session);
    return toReply(row, told, now);
  });
}

/** Refuses while it is the turn of somebody else. */
function requireTurn(
  turn: Turn | null | undefined,
  { asked, now }: { asked: string | undefined; now: Date },
): void {
  if (!turn || turn.until <= now || turn.id === asked) return;
  const until = turn.until.toISOString();
  throw refusals.beingApplied({
    message: `${turn.by.email ?? turn.by.type} is applying this programme, until ${until} at the latest`,
    extensions: { until },
  });
}

interface Written {
  workspaceId: string;
  name: string;
  wanted: ManagedRow[];
  /** What is let go; null: all that is not wanted. */
  released: readonly string[] | null;
}

async function write(
  { programmes }: Pick<Deps, 'programmes'>,
  { workspaceId, name, wanted, released }: Written,
  session: Session,
): Promise<void> {
  const ids = idsOf(wanted);
  const owned = await programmes.owned(workspaceId, [...ids, ...(released ?? [])], session);
  const isWanted = new Set(ids);
  const foreign = owned.find(({ _id, programme }) => programme !== name && isWanted.has(_id));
  if (foreign)
    throw refusals.managedElsewhere({
      field: 'managed',
      message: `${foreign.kind}/${foreign.key} belongs to the programme ${foreign.programme}`,
    });
  const same = new Map(owned.map((one) => [one._id, one]));
  const changed = wanted.filter((one) => !isSame(one, same.get(one._id)));
  const isChanged = new Set(changed.map(({ _id }) => _id));
  const before = released
    ? owned.filter(({ programme }) => programme === name)
    : await programmes.managed(workspaceId, name, session);
  const gone = before.filter(({ _id }) => isChanged.has(_id) || !isWanted.has(_id));
  await programmes.release(
    workspaceId,
    gone.map(({ _id }) => _id),
    session,
  );
  await programmes.take(changed, session);
}

const idsOf = (rows: readonly ManagedRow[]): string[] => rows.map(({ _id }) => _id);

const isSame = (one: ManagedRow, other: ManagedRow | undefined): boolean =>
  JSON.stringify(one.fields) === JSON.stringify(other?.fields);

const inOrder = (fields: readonly identity.ManagedField[]) =>
  fields
    .map(({ name, digest }) => ({ name, digest }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

const toReply = (
  row: ProgrammeRow,
  managed: readonly ManagedRow[],
  now: Date,
): identity.Programme => ({
  name: row.name,
  managed: managed.map(({ kind, key, fields, applied_at, by }) => ({
    thing: { kind, key, fields },
    applied_at: applied_at.toISOString(),
    by,
  })),
  date_updated: row.date_updated.toISOString(),
  turn:
    row.turn && row.turn.until > now
      ? { by: row.turn.by, until: row.turn.until.toISOString() }
      : undefined,
  etag: etagOf(versionOf(row)),
});

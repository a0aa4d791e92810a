import { type Context, currentContext, runInContext } from '@laurel/lifecycle';
import type { Deps, WorkspaceUnit } from '../deps';
import { scrubbed, type TrailEvent } from '../domain/trail-event';
import { applyTransaction } from '../domain/transaction-metrics';
import type { ClientMetrics } from '../store/metrics';
import { type InsertDeps, insertTrail } from './insert-trail';
import { type LinkDeps, linkRefunds } from './link-refunds';
import { type Person, resolveClients } from './resolve-clients';
import { mayComplete, type SpendingAfter, toDomainEvent } from './trail-domain-event';

export interface Written {
  event: TrailEvent;
  /** An event with this external_id was already there; nothing happened. */
  repeated: boolean;
}

/** What is to be written, and how it is announced: not at all, or each row in the name of the request that it came with. */
interface Writing {
  drafts: readonly TrailEvent[];
  untold?: ReadonlySet<string>;
  contexts?: ReadonlyMap<string, Context>;
}

type TrailDeps = InsertDeps &
  LinkDeps &
  Pick<Deps, 'clients' | 'metrics' | 'tombstones' | 'outbox'>;

/**
 * Writes events into the trail of one workspace, in the caller's transaction: names are filled in,
 * erased clients stay erased, transactions move the client's metrics, and each event but the untold goes out to the
 * other services. An external_id that is already there gives back the stored event and does nothing.
 */
export async function writeTrail(
  deps: TrailDeps,
  unit: WorkspaceUnit,
  { drafts, untold, contexts }: Writing,
): Promise<Written[]> {
  const known = await findKnown(deps, unit, drafts);
  const { fresh, written } = sortOut(drafts, known);
  const attributedRows = await attributeAll(deps, unit, fresh);
  const linkedRows = await linkRefunds(deps, unit, attributedRows);
  const rows = new Map(linkedRows.map((row) => [row.id, row]));
  const spending = await moveMetrics(deps, unit, [...rows.values()]);
  await insertTrail(deps, unit, { rows: [...rows.values()] });
  const told = [...rows.values()].filter((row) => !untold?.has(row.id));
  const merged = await mergedLately(deps, unit, told);
  const events = told.map((row) =>
    runInContext(contexts?.get(row.id) ?? currentContext(), () =>
      toDomainEvent(row, { spending: spending.get(row.id) ?? null, merged: merged.get(row.id) }),
    ),
  );
  await deps.outbox.append(
    events.filter((event) => event !== null),
    unit.session,
  );
  return written.map(({ event, repeated }) => ({ event: rows.get(event.id) ?? event, repeated }));
}

async function findKnown(
  { events }: TrailDeps,
  { workspaceId, session }: WorkspaceUnit,
  drafts: readonly TrailEvent[],
): Promise<Map<string, TrailEvent>> {
  const externalIds = drafts.map((draft) => draft.external_id).filter((id) => id !== null);
  return events.findByExternalIds(workspaceId, [...new Set(externalIds)], session);
}

/** Tells new events from repeats, of stored ones and within the batch. */
function sortOut(drafts: readonly TrailEvent[], known: Map<string, TrailEvent>) {
  const seen = new Map(known);
  const fresh: TrailEvent[] = [];
  const written = drafts.map((draft): Written => {
    const earlier = draft.external_id === null ? undefined : seen.get(draft.external_id);
    if (earlier) return { event: earlier, repeated: true };
    if (draft.external_id !== null) seen.set(draft.external_id, draft);
    fresh.push(draft);
    return { event: draft, repeated: false };
  });
  return { fresh, written };
}

/** The events in the names of those who their clients are today. */
export async function attributeAll(
  deps: Pick<Deps, 'clients' | 'tombstones'>,
  unit: WorkspaceUnit,
  drafts: readonly TrailEvent[],
): Promise<TrailEvent[]> {
  const ids = drafts.map((draft) => draft.client_id).filter((id) => id !== null);
  if (ids.length === 0) return [...drafts];
  const people = await resolveClients(deps, unit, [...new Set(ids)]);
  return drafts.map((draft) => attributed(draft, people));
}

function attributed(draft: TrailEvent, people: Map<string, Person>): TrailEvent {
  const person = draft.client_id === null ? undefined : people.get(draft.client_id);
  if (!person) return draft;
  const event = {
    ...draft,
    client_id: person.clientId,
    client_name_snapshot: person.name,
    orphaned_at: person.goneSince,
  };
  return person.erased ? scrubbed(event) : event;
}

/** For each row that a referral may wait for, the clients that became part of its own lately; rows without any are left out. */
async function mergedLately(
  { processes }: TrailDeps,
  { workspaceId, session }: WorkspaceUnit,
  rows: readonly TrailEvent[],
): Promise<Map<string, string[]>> {
  const awaited = rows.filter((row) => row.client_id !== null && mayComplete(row));
  if (awaited.length === 0) return new Map();
  const clientIds = [...new Set(awaited.map((row) => row.client_id!))];
  const merged = await processes.mergedInto(workspaceId, clientIds, session);
  return new Map(
    awaited.flatMap(({ id, client_id: clientId }) => {
      const sources = merged.get(clientId!);
      return sources ? [[id, sources] as const] : [];
    }),
  );
}

/** Applies purchases and refunds in their order; says what the metrics were right after each. */
async function moveMetrics(
  { metrics }: TrailDeps,
  { workspaceId, session }: WorkspaceUnit,
  rows: readonly TrailEvent[],
): Promise<Map<string, SpendingAfter>> {
  const after = new Map<string, SpendingAfter>();
  const moving = rows.filter(
    (row) => row.event_category === 'transaction' && row.client_id !== null && !row.orphaned_at,
  );
  if (moving.length === 0) return after;
  const ids = [...new Set(moving.map((row) => row.client_id!))];
  const totals = await metrics.findMany(workspaceId, ids, session);
  const changed = new Map<string, ClientMetrics>();
  for (const row of moving) {
    const before = changed.get(row.client_id!) ?? totals.get(row.client_id!)!;
    const next = applyTransaction(before, {
      type: row.event_type,
      amount: row.amount!,
      at: row.event_timestamp,
    });
    changed.set(row.client_id!, next);
    after.set(row.id, next);
  }
  await metrics.save([...changed.values()], session);
  return after;
}

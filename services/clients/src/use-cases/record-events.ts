import { toUnits, type Units } from '@laurel/amount';
import type { EventCategory } from '@laurel/contract';
import { type Json, type JsonObject, platform } from '@laurel/errors';
import { type Context, currentContext, newId, runInContext, stableId } from '@laurel/lifecycle';
import { type Connection, commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import {
  blankEvent,
  type EventOrigin,
  keepsValues,
  signedPoints,
  type TrailEvent,
} from '../domain/trail-event';
import { refusals } from '../refusals';
import type { IndexedPass } from '../store/pass-index';
import { toEventReply, toRecordingReply } from './event-reply';
import { lookUpPasses } from './look-up-passes';
import { Neighbours, type Waiting } from './neighbours';
import { retryingCollisions } from './retrying-collisions';
import { type Written, writeTrail } from './write-trail';

type ToldEvent = Omit<api.NewEvent, 'pass_id'>;

/** Events of a batch in one transaction. */
const PIECE_EVENTS = 100;
const NOT_RECORDED = 'the event was not recorded as the platform was busy: send it again';

/** Records one event that a pass stands for. An unknown pass is refused. */
export async function recordEvent(
  deps: Deps,
  { workspace_ids: workspaceIds, event }: api.RecordEventRequest,
): Promise<api.Event> {
  const passes = await findPasses(deps, workspaceIds, [event!]);
  const pass = passes.get(event!.pass_id);
  if (!pass) throw refusals.passNotFound();
  const [written] = await commitEvents(deps, [toDraft(event!, pass, deps.clock.now())]);
  return toRecordingReply(written!);
}

/**
 * Records many events at once. Each stands alone: one with an unknown pass fails, the others are kept. They are written
 * in pieces, so that a large batch neither waits for everybody who writes about one of its clients nor makes them wait.
 * What the time does not suffice for, or a conflict keeps out, is among the failed; a fault where nothing was kept.
 */
export async function recordEvents(
  deps: Deps,
  { workspace_ids: workspaceIds, events }: api.RecordEventsRequest,
): Promise<api.RecordedEvents> {
  const passes = await findPasses(deps, workspaceIds, events);
  const now = deps.clock.now();
  const written: Written[] = [];
  const errors: api.RecordError[] = [];
  const faults: unknown[] = [];
  for (let first = 0; first < events.length; first += PIECE_EVENTS) {
    const drafts: TrailEvent[] = [];
    const indexes: number[] = [];
    for (const [at, event] of events.slice(first, first + PIECE_EVENTS).entries()) {
      const index = first + at;
      const pass = passes.get(event.pass_id);
      if (pass) drafts.push(toDraft(event, pass, now));
      if (pass) indexes.push(index);
      else errors.push({ index, error: refusals.passNotFound.definition.message });
    }
    try {
      written.push(...(await commitPiece(deps, drafts, first)));
    } catch (error) {
      faults.push(error);
      errors.push(...indexes.map((index) => ({ index, error: NOT_RECORDED })));
    }
  }
  if (written.length === 0 && faults.length > 0) throw faults[0];
  for (const err of faults) deps.logger.warn({ err }, 'a piece of a batch of events was not kept');
  return {
    created: written.filter(({ repeated }) => !repeated).length,
    failed: errors.length,
    events: written.map(({ event }) => toEventReply(event)),
    errors: errors.sort((one, other) => one.index - other.index),
  };
}

/** Each piece is an operation of its own: whoever repeats a batch repeats none that is kept. */
function commitPiece(deps: Deps, drafts: readonly TrailEvent[], first: number): Promise<Written[]> {
  if (drafts.length === 0) return Promise.resolve([]);
  const context = currentContext();
  if (context.deadlineAt !== undefined && context.deadlineAt <= Date.now())
    return Promise.reject(platform.serviceUnavailable({ retryAfterSeconds: 1 }));
  const operationId =
    first === 0 ? context.operationId : stableId(`${context.operationId} ${first}`);
  return runInContext({ ...context, operationId }, () => commitEvents(deps, drafts));
}

/**
 * Writes events and their effects in one transaction, whichever workspaces they belong to. Those of one client that come
 * at once, each with a request of its own, are taken one after the other, and all answered (part 4, section 6).
 */
export function commitEvents(deps: Deps, drafts: readonly TrailEvent[]): Promise<Written[]> {
  const clientIds = new Set(drafts.map((draft) => draft.client_id));
  const [clientId] = clientIds;
  if (clientIds.size !== 1 || !clientId) return commitTogether(deps, drafts);
  return neighboursOf(deps.connection).run(clientId, { deps, drafts });
}

function commitTogether(
  deps: Deps,
  drafts: readonly TrailEvent[],
  contexts?: ReadonlyMap<string, Context>,
): Promise<Written[]> {
  return retryingCollisions(() =>
    commitOnce(deps.connection, async (session) => {
      const written = new Map<string, Written>();
      for (const workspaceId of new Set(drafts.map((draft) => draft.workspace_id))) {
        const own = drafts.filter((draft) => draft.workspace_id === workspaceId);
        const telling = contexts ? { contexts } : {};
        const results = await writeTrail(deps, workspaceId, own, session, telling);
        for (const [index, draft] of own.entries()) written.set(draft.id, results[index]!);
      }
      return drafts.map((draft) => written.get(draft.id)!);
    }),
  );
}

/** The events of one request. */
interface Told {
  deps: Deps;
  drafts: readonly TrailEvent[];
}

const neighbours = new WeakMap<Connection, Neighbours<Told, Written[]>>();

function neighboursOf(connection: Connection): Neighbours<Told, Written[]> {
  const known = neighbours.get(connection);
  if (known) return known;
  // The reply to a request with an Idempotency-Key is kept in its own transaction.
  const made = new Neighbours<Told, Written[]>(commitRequests, (one) => !one.context.operationKept);
  neighbours.set(connection, made);
  return made;
}

/** Commits the events of several requests; each is told of, and its conflicts are retried, as its own request's. */
async function commitRequests(requests: readonly Waiting<Told>[]): Promise<Written[][]> {
  const drafts = requests.flatMap(({ item }) => item.drafts);
  const contexts = new Map(
    requests.flatMap(({ item, context }) =>
      item.drafts.map((draft): [string, Context] => [draft.id, context]),
    ),
  );
  const [{ item, context }] = requests as [Waiting<Told>, ...Waiting<Told>[]];
  const written = await runInContext(context, () => commitTogether(item.deps, drafts, contexts));
  const results = written.values();
  return requests.map(({ item: { drafts: own } }) => own.map(() => results.next().value!));
}

async function findPasses(
  deps: Deps,
  workspaceIds: readonly string[],
  events: readonly api.NewEvent[],
): Promise<Map<string, IndexedPass>> {
  const found = await lookUpPasses(
    deps,
    events.map((event) => event.pass_id),
  );
  const allowed = found.filter((pass) => workspaceIds.includes(pass.workspaceId));
  return new Map(allowed.map((pass) => [pass.passId, pass]));
}

function toDraft(event: api.NewEvent, pass: IndexedPass, now: Date): TrailEvent {
  const origin = {
    id: newId(),
    workspaceId: pass.workspaceId,
    clientId: pass.clientId,
    passId: pass.passId,
    clientName: null,
    timestamp: event.event_timestamp === undefined ? now : new Date(event.event_timestamp),
    source: event.source ?? 'api',
  };
  return draftOf(event, origin);
}

/** An event as it was told, before anybody looked whom it is about. */
export function draftOf(event: ToldEvent, origin: EventOrigin): TrailEvent {
  const category = event.event_category as EventCategory;
  const amount = unitsOrNull(event.amount);
  return {
    ...blankEvent(category, event.event_type, origin),
    external_id: event.external_id ?? null,
    original_external_id: event.original_external_id ?? null,
    metadata: metadataOf(event.metadata),
    amount,
    currency: event.currency?.toUpperCase() ?? null,
    field_name: event.field_name ?? null,
    old_value: event.old_value ?? null,
    new_value: event.new_value ?? null,
    points_delta: category === 'loyalty' ? signedPoints(event.event_type, amount) : null,
    keeps_values: keepsValues(category, event.field_name ?? null),
  };
}

/** Metadata is an object; one that was not sent is empty. */
export function metadataOf(metadata: Json | undefined): JsonObject {
  return (metadata ?? {}) as JsonObject;
}

function unitsOrNull(amount: number | null | undefined): Units | null {
  return amount === null || amount === undefined ? null : toUnits(amount);
}

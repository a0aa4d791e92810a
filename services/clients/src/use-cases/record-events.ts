import type { EventCategory } from '@laurel/contract';
import { invalidField, type Json, type JsonObject, platform } from '@laurel/errors';
import { isOutage } from '@laurel/events';
import { currentContext, newId, runInContext, stableId } from '@laurel/lifecycle';
import {
  commitEachOnce,
  holdKey,
  isTransient,
  retryingCollisions,
  storeFault,
} from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { toUnits, type Units } from '@laurel/values/amount';
import { FIRST_MOMENT } from '@laurel/values/calendar';
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
import { commitEvents, writeDrafts } from './commit-events';
import { findRecorded } from './find-recorded';
import { passesWithin } from './look-up-passes';
import { toEventReply, toRecordingReply } from './wire';
import type { Written } from './write-trail';

type ToldEvent = Omit<api.NewEvent, 'pass_id'>;

/** Events of a batch in one transaction, at most. */
const PIECE_EVENTS = 100;
/** So few wait for their turn until the time is over, since nothing would be won by making them fewer. */
const PATIENT_EVENTS = 10;
/** Kept back of a call's time, so that the sender of a batch still hears what of it was recorded. */
const ANSWER_MS = 2_000;
const NOT_RECORDED = 'the event was not recorded as the platform was busy: send it again';
const MAYBE_RECORDED =
  'whether the event was recorded is not known: send it again under the same Idempotency-Key, or under its external_id';
const NOT_RECORDABLE = 'the event could not be recorded';

/** Records one event that a pass stands for. An unknown pass is refused, unless the event was recorded when it was there. */
export async function recordEvent(
  deps: Deps,
  { workspace_ids: workspaceIds, event }: api.RecordEventRequest,
): Promise<api.Event> {
  const passes = await passesWithin(deps, workspaceIds, [event!]);
  const pass = passes.get(event!.pass_id);
  if (!pass) {
    const [earlier] = await findRecorded(deps, workspaceIds, [event!]);
    if (!earlier) throw refusals.passNotFound();
    return toRecordingReply(earlier);
  }
  const [written] = await commitEvents(deps, [toDraft(event!, pass, deps.clock.now())]);
  return toRecordingReply(written!);
}

/**
 * Records many events at once. Each stands alone: one with an unknown pass fails, the others are kept. They are written
 * in pieces, which become smaller where somebody else writes about the same clients: a large batch would meet the writes
 * that follow from the one before; and where one of them cannot be written, so that the others are. What the time does not
 * suffice for is among the failed, and recorded when the request comes again, under its key, too; a fault where nothing can be
 * said of any.
 */
export async function recordEvents(
  deps: Deps,
  request: api.RecordEventsRequest,
): Promise<api.RecordedEvents> {
  const { events } = request;
  await holdKey(deps.connection);
  const { found, repeats, unknown } = await sortOut(deps, request);
  const { written, left, fault } = await commitInPieces(deps, found);
  if (left.length > 0 && left.length === events.length) throw fault;
  if (left.length > 0)
    deps.logger.warn({ err: fault, count: left.length }, 'events of a batch were not kept');
  const errors = [
    ...unknown.map((index) => ({ index, error: refusals.passNotFound.definition.message })),
    ...left.map(({ index, fault: why }) => ({ index, error: verdictOf(why) })),
  ];
  return {
    created: written.filter(({ repeated }) => !repeated).length,
    failed: errors.length,
    events: [...written, ...repeats].sort(inOrder).map(({ event }) => toEventReply(event)),
    errors: errors.sort(inOrder),
    unfinished: left.length > 0,
  };
}

/** What the sender of an event hears of a fault. The last that a store did before it was away may have been the commit. */
function verdictOf(fault: unknown): string {
  if (storeFault(fault) === 'away') return MAYBE_RECORDED;
  return isOutage(fault) ? NOT_RECORDED : NOT_RECORDABLE;
}

/** Where something stands in its batch. */
type Placed = { index: number };
type Indexed = Placed & { draft: TrailEvent };
type Recorded = Placed & Written;
type Left = Placed & { fault: unknown };

const inOrder = (one: Placed, other: Placed): number => one.index - other.index;

/** Tells events of known passes from those of unknown ones, and those from what was recorded while the pass was there. */
async function sortOut(
  deps: Deps,
  { workspace_ids: workspaceIds, events }: api.RecordEventsRequest,
) {
  const passes = await passesWithin(deps, workspaceIds, events);
  const now = deps.clock.now();
  const found: Indexed[] = [];
  const passless: number[] = [];
  for (const [index, event] of events.entries()) {
    const pass = passes.get(event.pass_id);
    if (pass) found.push({ index, draft: toDraft(event, pass, now) });
    else passless.push(index);
  }
  const earlier = await findRecorded(
    deps,
    workspaceIds,
    passless.map((index) => events[index]!),
  );
  const repeats = passless.flatMap((index, at): Recorded[] =>
    earlier[at] ? [{ index, ...earlier[at] }] : [],
  );
  return { found, repeats, unknown: passless.filter((_, at) => !earlier[at]) };
}

async function commitInPieces(deps: Deps, all: readonly Indexed[]) {
  const { deadlineAt } = currentContext();
  const endsAt = deadlineAt === undefined ? undefined : deadlineAt - ANSWER_MS;
  const written: Recorded[] = [];
  const left: Left[] = [];
  let size = PIECE_EVENTS;
  let lastMs = 0;
  for (let at = 0; at < all.length; ) {
    const piece = all.slice(at, at + size);
    const startedAt = Date.now();
    try {
      if (endsAt !== undefined && startedAt + lastMs >= endsAt)
        throw platform.serviceUnavailable({ retryAfterSeconds: 1 });
      const outcomes = await commitPiece(deps, piece, endsAt);
      for (const [place, outcome] of outcomes.entries()) {
        const { index } = piece[place]!;
        if (outcome.status === 'fulfilled') written.push({ ...outcome.value, index });
        else left.push({ index, fault: outcome.reason });
      }
      lastMs = Date.now() - startedAt;
      size = Math.min(size * 2, PIECE_EVENTS);
    } catch (error) {
      const isOfSome = isTransient(error) || !isOutage(error);
      if (isOfSome && piece.length > PATIENT_EVENTS) {
        size = Math.ceil(piece.length / 4);
        continue;
      }
      left.push(...piece.map(({ index }) => ({ index, fault: error })));
    }
    at += piece.length;
  }
  return { written, left, fault: left.at(-1)?.fault };
}

/**
 * Each event is an operation of its own: a batch that comes again repeats none that is kept, in whatever pieces. A large piece
 * is a transaction of its own, which is not tried again as it is; few events line up with those that come one by one, which
 * would else win the rows of a busy client again and again.
 */
async function commitPiece(
  deps: Deps,
  piece: readonly Indexed[],
  endsAt: number | undefined,
): Promise<PromiseSettledResult<Written>[]> {
  const context = currentContext();
  const operations = piece.map(({ index }) => ({
    ...context,
    operationId: stableId(`${context.operationId} ${index}`),
  }));
  if (piece.length <= PATIENT_EVENTS) {
    const patient = endsAt === undefined ? {} : { deadlineAt: endsAt };
    return Promise.allSettled(
      piece.map(async ({ draft }, place) => {
        const own = { ...operations[place]!, ...patient };
        return (await runInContext(own, () => commitEvents(deps, [draft])))[0]!;
      }),
    );
  }
  const written = await runInContext({ ...context, deadlineAt: Date.now() }, () =>
    retryingCollisions(() =>
      commitEachOnce(deps.connection, operations, (session, fresh) =>
        writeDrafts(
          deps,
          fresh.map((at) => piece[at]!.draft),
          { session },
        ),
      ),
    ),
  );
  return written.map((value) => ({ status: 'fulfilled', value }));
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

/** An event as it came in, before it is known whom it is about. One of before our era no store adds up by days. */
export function draftOf(event: ToldEvent, origin: EventOrigin): TrailEvent {
  if (origin.timestamp < FIRST_MOMENT)
    throw invalidField('event_timestamp', 'event_timestamp must not be before 0001-01-02');
  const category = event.event_category as EventCategory;
  const amount = unitsOrNull(event.amount);
  const change = {
    field_name: event.field_name ?? null,
    old_value: event.old_value ?? null,
    new_value: event.new_value ?? null,
  };
  return {
    ...blankEvent(category, event.event_type, origin),
    external_id: event.external_id ?? null,
    original_external_id: event.original_external_id ?? null,
    metadata: metadataOf(event.metadata),
    amount,
    currency: event.currency?.toUpperCase() ?? null,
    ...change,
    points_delta: category === 'loyalty' ? signedPoints(event.event_type, amount) : null,
    keeps_values: keepsValues(category, change),
  };
}

/** Metadata is an object; one that was not sent is empty. */
export function metadataOf(metadata: Json | undefined): JsonObject {
  return (metadata ?? {}) as JsonObject;
}

function unitsOrNull(amount: number | null | undefined): Units | null {
  return amount === null || amount === undefined ? null : toUnits(amount);
}

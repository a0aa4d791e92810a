import {
  type Context,
  inSpan,
  later,
  runInBackground,
  runInContext,
  SpanKind,
} from '@laurel/lifecycle';
import { findDefinition } from '../catalogue';
import { type CloudEvent, checkData, contextOf } from '../envelope';
import { messaging } from '../metrics';
import type { Inbox } from './inbox';
import { type AnyHandler, handlerIn } from './listener';
import type { Patience } from './patience';
import type { Delivery, Settler } from './settle';
import type { Batch, ConsumerSettings } from './types';

/**
 * How long a batch gathers after one that held several events. A batch costs its reads and its commit whatever it holds, so
 * under load it pays to wait; the first in a while waits for nothing (docs/adr/0026).
 */
const GATHER_MS = 150;

export type HandleDelivery = (event: CloudEvent, delivery: Delivery) => Promise<void>;

interface Parts {
  inbox: Inbox;
  settler: Settler;
  patiently: Patience;
  /** Whether the broker has taken a delivery back with its channel: another replica may have it, and what followed. */
  isLost: (delivery: Delivery) => boolean;
}

/** Makes what handles one delivered event and answers for it. The result never rejects. */
export function createDeliveryHandler(settings: ConsumerSettings, parts: Parts): HandleDelivery {
  const { queue, tally } = settings;
  const { inbox, settler, patiently, isLost } = parts;
  const { handlers, batch } = settings;
  if (batch) return createBatches(settings, batch.handle, parts);

  return async (event, delivery) => {
    if (isLost(delivery)) return;
    const stopTimer = messaging.duration.startTimer({ queue });
    try {
      const handler = handlerIn(handlers, event.type);
      // A binding may be wider than the table; what no row of it asked for is simply done. A type that is in no catalogue
      // of ours was bound by a newer release, which knows what to do with it.
      if (!handler && !findDefinition(event.type)) checkData(event);
      if (handler) await patiently(() => handleOne(event, handler, inbox));
      await tally?.handled(queue, [event]);
      settler.done(delivery);
      messaging.handled.inc({ queue, type: findDefinition(event.type)?.type ?? 'unknown' });
    } catch (error) {
      await settler.failed(delivery, error);
    } finally {
      stopTimer();
    }
  };
}

async function handleOne(event: CloudEvent, handler: AnyHandler, inbox: Inbox): Promise<void> {
  const { type } = checkData(event);
  const span = { kind: SpanKind.CONSUMER, traceparent: event.traceparent };
  await inSpan(`process ${type}`, span, (traceparent) =>
    runInContext(
      { ...contextOf(event), ...(traceparent === undefined ? {} : { traceparent }) },
      () => handler(event, inbox.onceFor(event)),
    ),
  );
}

/** Events of sandboxes apart, each by its own clock (docs/adr/0029); all others are one batch, in their order. */
function byClock(batch: readonly Waiting[]): readonly (readonly Waiting[])[] {
  if (batch.every(({ event }) => event.sandboxahead === undefined)) return [batch];
  const parts = new Map<string | null, Waiting[]>();
  for (const one of batch) {
    const { workspaceid, sandboxahead } = one.event;
    const owner = sandboxahead === undefined ? null : (workspaceid ?? null);
    parts.set(owner, [...(parts.get(owner) ?? []), one]);
  }
  return [...parts.values()];
}

/** The sandbox by whose clock a batch is handled; live workspaces have none of their own. */
function clockOf([first]: readonly CloudEvent[]): Partial<Context> {
  return first?.sandboxahead === undefined ? {} : { workspaceId: first.workspaceid ?? null };
}

interface Waiting {
  event: CloudEvent;
  delivery: Delivery;
  settled: () => void;
}

/**
 * Starts at once when idle; what arrives while a batch is handled, and for a moment after one of several, makes up the next
 * one. A batch that fails is halved, and so on, so that one bad event does not hold up the others: each by itself would
 * take minutes for what came together, and more would have come by then.
 */
function createBatches(
  { queue, tally, logger, prefetch = Number.POSITIVE_INFINITY }: ConsumerSettings,
  handleBatch: Batch['handle'],
  { inbox, settler, patiently, isLost }: Parts,
): HandleDelivery {
  const waiting: Waiting[] = [];
  let busy = false;
  let endGathering: (() => void) | undefined;

  async function attempt(given: readonly Waiting[]): Promise<void> {
    const batch = given.filter(({ delivery }) => !isLost(delivery));
    for (const each of given) if (!batch.includes(each)) each.settled();
    if (batch.length === 0) return;
    const events = batch.map(({ event }) => event);
    const stopTimer = messaging.duration.startTimer({ queue });
    try {
      for (const event of events) checkData(event);
      // Copies of an event may come together: who lost the broker, or does not know whether it was taken, sends again.
      const each = [...new Map(events.map((event) => [event.id, event])).values()];
      await patiently(() =>
        runInBackground(queue, () => handleBatch(each, inbox.onceForBatch(each)), clockOf(each)),
      );
      await tally?.handled(queue, events);
      for (const { event, delivery, settled } of batch) {
        settler.done(delivery);
        settled();
        messaging.handled.inc({ queue, type: findDefinition(event.type)?.type ?? 'unknown' });
      }
    } catch (error) {
      const [only] = batch;
      if (batch.length > 1 || !only) {
        logger.warn({ err: error, queue, events: batch.length }, 'a batch of events is halved');
        const half = Math.ceil(batch.length / 2);
        await attempt(batch.slice(0, half));
        await attempt(batch.slice(half));
        return;
      }
      await settler.failed(only.delivery, error);
      only.settled();
    } finally {
      stopTimer();
    }
  }

  async function work(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, Math.min(prefetch, waiting.length));
      for (const part of byClock(batch)) await attempt(part);
      if (batch.length > 1) await gather();
    }
    busy = false;
  }

  /** The broker gives no more than `prefetch` at once: half of that is enough to begin with, so that it never runs dry. */
  function gather(): Promise<void> {
    if (waiting.length >= prefetch / 2) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = later(queue, GATHER_MS, resolve);
      endGathering = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  return (event, delivery) =>
    new Promise((resolve) => {
      waiting.push({ event, delivery, settled: resolve });
      if (waiting.length >= prefetch / 2) endGathering?.();
      // Deliveries of one network read come in one go; a tick lets them make up one batch.
      if (!busy) setImmediate(() => (busy ? undefined : work()));
    });
}

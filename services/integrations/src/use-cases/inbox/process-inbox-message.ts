import type { InboxOutcome, RefundLinkState } from '@laurel/contract';
import { parseJson, Refusal } from '@laurel/errors';
import { stableId } from '@laurel/lifecycle';
import type { IntegrationDeps } from '../../deps';
import { backoffMs, MESSAGE_ATTEMPTS_MAX, untilSaleMs } from '../../domain/backoff';
import { Unreadable } from '../../domain/read-event';
import { findProvider } from '../../outside/providers';
import type { Inbound } from '../../outside/providers/provider';
import type { LeasedMessage, MessagePostponement } from '../../store/inbox-messages';
import type { IntegrationRow } from '../../store/integrations';
import { catchUp } from '../catch-up';
import { findEventClient } from './find-event-client';
import {
  type Attributed,
  lacksItsSale,
  NobodyFound,
  recordReadEvents,
  requireEvent,
} from './record-read-events';

/** Until what a message waits for is looked for again; changing the integration wakes it at once. It may wait for 30 days. */
const WAIT_MS = 60 * 60_000;
/** While another part of the platform is away, which is not the message's fault. */
const AWAY_MS = 5_000;

/** The sale that a refund names is not there: it may be on its way, as messages overtake each other. */
class NoSaleYet extends Error {
  override readonly name = 'NoSaleYet';

  constructor(
    readonly since: Date,
    readonly afterMs: number,
  ) {
    super('the sale that it gives back is not there yet');
  }
}

interface Processed {
  outcome: InboxOutcome;
  refundLink: RefundLinkState | null;
}

/**
 * Makes the event that a message tells of. A crash at any point has it done again, to the same end: the event's id
 * comes from the message's.
 */
export async function processInboxMessage(
  deps: IntegrationDeps,
  message: LeasedMessage,
): Promise<void> {
  const { workspace_id: workspaceId, provider: slug } = message;
  const integration = await deps.integrations.get(workspaceId, slug);
  const inbound = findProvider(slug)?.inbound;
  if (!integration || !inbound || integration.inbox_id !== message.inbox_id) {
    await deps.messages.drop(message);
    return;
  }
  const waitsFor = reasonToWait(integration, inbound);
  if (waitsFor !== null) {
    await postpone(deps, message, { afterMs: WAIT_MS, error: waitsFor, counts: false });
    // Changed while this was on its way: what the change was to wake did not wait yet.
    const after = await deps.integrations.get(workspaceId, slug);
    if (after && reasonToWait(after, inbound) === null) {
      await deps.messages.wake(workspaceId, message.inbox_id, deps.clock.now());
      deps.soon.inbox();
    }
    return;
  }
  try {
    const arrival = { body: parseJson(message.body), headers: message.headers };
    const event = inbound.read(arrival, integration.config);
    const processed = event
      ? await record(deps, message, event)
      : { outcome: 'ignored' as const, refundLink: null };
    const now = deps.clock.now();
    await deps.messages.complete(message, { ...processed, now });
    await deps.integrations.noteSynced(workspaceId, slug, now);
  } catch (error) {
    await settleFault(deps, message, error);
  }
}

function reasonToWait(
  { enabled_inbound: isOn, config }: IntegrationRow,
  inbound: Inbound,
): string | null {
  return isOn ? inbound.waitsFor(config) : 'receiving is switched off';
}

async function record(
  deps: IntegrationDeps,
  message: LeasedMessage,
  event: Parameters<typeof requireEvent>[0],
): Promise<Processed> {
  const { _id, workspace_id: workspaceId, provider, received_at: receivedAt } = message;
  requireEvent(event, workspaceId, deps.clock.now());
  const client = await findEventClient(deps, { workspaceId, provider }, event.client);
  if (client.clientId !== null) {
    await deps.messages.noteClient(message, client.clientId);
    await catchUp(deps, [{ workspaceId, subject: client.clientId }]);
  }
  const id = stableId(`inbox message ${_id}`);
  const told = { id, event, client, receivedAt };
  await awaitSale(deps, message, told);
  const about = { workspaceId, source: provider };
  const { stored, refundLinks } = await recordReadEvents(deps, about, [told]);
  return {
    outcome: stored.has(id) ? 'recorded' : 'duplicate',
    refundLink: refundLinks.get(id) ?? null,
  };
}

/** Which sale a refund gives back is decided once, when it is recorded. Throws NoSaleYet while that would be too early. */
async function awaitSale(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider, sale_awaited_since: awaited }: LeasedMessage,
  told: Attributed,
): Promise<void> {
  const now = deps.clock.now();
  const since = awaited ?? now;
  const afterMs = untilSaleMs(now.getTime() - since.getTime());
  if (afterMs !== null && (await lacksItsSale(deps, { workspaceId, source: provider }, told)))
    throw new NoSaleYet(since, afterMs);
}

/** What cannot be read fails at once; anything else may end by itself and is tried eight times. */
async function settleFault(
  deps: IntegrationDeps,
  message: LeasedMessage,
  error: unknown,
): Promise<void> {
  if (error instanceof NoSaleYet) {
    const { afterMs, since, message: reason } = error;
    return postpone(deps, message, { afterMs, error: reason, counts: false, saleAwaited: since });
  }
  const isOurs = error instanceof Unreadable || error instanceof NobodyFound;
  if (error instanceof Refusal && error.httpStatus === 503) {
    const reason = { afterMs: AWAY_MS, error: error.message, counts: false };
    return postpone(deps, message, reason);
  }
  if (!isOurs) {
    const { _id: message_id, attempts } = message;
    deps.logger.error({ err: error, message_id, attempts }, 'a message could not be processed');
  }
  const reason = isOurs ? error.message : 'the message could not be processed';
  if (error instanceof Unreadable || message.attempts >= MESSAGE_ATTEMPTS_MAX) {
    await deps.messages.fail(message, { error: reason, now: deps.clock.now() });
    await deps.integrations.noteError(message.workspace_id, message.provider, reason);
    return;
  }
  await postpone(deps, message, {
    afterMs: backoffMs(message.attempts),
    error: reason,
    counts: true,
  });
}

async function postpone(
  { messages, clock }: IntegrationDeps,
  message: LeasedMessage,
  { afterMs, ...why }: { afterMs: number } & Omit<MessagePostponement, 'until'>,
): Promise<void> {
  const until = new Date(clock.now().getTime() + afterMs);
  await messages.postpone(message, { until, ...why });
}

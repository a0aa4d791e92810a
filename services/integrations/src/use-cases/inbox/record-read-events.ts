import type { RefundLinkState } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { sandboxAheadMs } from '@laurel/lifecycle';
import type { clients } from '@laurel/rpc';
import { roundToAmount } from '@laurel/values/amount';
import { momentNamed } from '@laurel/values/calendar';
import type { IntegrationDeps } from '../../deps';
import { complaintAboutEvent, type ReadEvent, Unreadable } from '../../domain/read-event';

type RecordDeps = Pick<IntegrationDeps, 'clients' | 'identity'>;

/** An event that is known to be about somebody, under an id that stays the same however often it is sent. */
export interface Attributed {
  id: string;
  event: ReadEvent;
  client: FoundClient;
  receivedAt: Date;
}

export interface FoundClient {
  clientId: string | null;
  passId?: string;
}

/** What became of events that were sent. */
export interface Recorded {
  /** Ids of those that are there under their own id. */
  stored: ReadonlySet<string>;
  /** Of refunds that name a sale, by the id they were sent under: whether it was found (part 4, section 5). */
  refundLinks: ReadonlyMap<string, RefundLinkState>;
}

/** In whose trails events are recorded, and as of where. */
interface Destination {
  workspaceId: string;
  source: string;
}

/**
 * No client of the workspace is meant: one may be, a little later. It says by which ways somebody was looked for, and not by
 * which addresses: erasing a person finds nothing that does not name their client.
 */
export class NobodyFound extends Error {
  override readonly name = 'NobodyFound';

  constructor(hints: ReadEvent['client']) {
    super(`no client was found by ${hints.map(({ by }) => by).join(', ')}`);
  }
}

/** A moment by the clock of a workspace: members and their events live by that of their sandbox (docs/adr/0029). */
const inWorkspace = (workspaceId: string, moment: Date): Date =>
  new Date(moment.getTime() + (sandboxAheadMs(workspaceId) ?? 0));

/** Throws Unreadable on an event that would not be recorded. */
export function requireEvent(event: ReadEvent, workspaceId: string, now: Date): void {
  const complaint = complaintAboutEvent(event, inWorkspace(workspaceId, now));
  if (complaint) throw new Unreadable(complaint);
}

/**
 * Records events in the trail of their clients, from where metrics, tiers, referrals and automations move. Those with
 * an external_id that is there already are passed over.
 */
export async function recordReadEvents(
  deps: RecordDeps,
  { workspaceId, source }: Destination,
  attributed: readonly Attributed[],
): Promise<Recorded> {
  if (attributed.length === 0) return { stored: new Set(), refundLinks: new Map() };
  const entries = await entriesOf(deps, { workspaceId, source }, attributed);
  try {
    const reply = await deps.clients.RecordTrail({ workspace_id: workspaceId, entries });
    return {
      stored: new Set(reply.stored_ids),
      refundLinks: new Map(
        reply.refund_links.map(({ id, state }) => [id, state as RefundLinkState]),
      ),
    };
  } catch (error) {
    if (isRefused(error)) throw new Unreadable(error.message);
    throw error;
  }
}

/** Whether an event is a refund that names a sale which its client does not have, so far. */
export async function lacksItsSale(
  deps: RecordDeps,
  about: Destination,
  one: Attributed,
): Promise<boolean> {
  const { event, client } = one;
  const isRefund = event.eventCategory === 'transaction' && event.eventType === 'refund';
  if (!isRefund || client.clientId === null) return false;
  const [entry] = await entriesOf(deps, about, [one]);
  const { amount, metadata, currency, external_id, original_external_id } = entry!;
  try {
    const { state } = await deps.clients.QuoteRefundLink({
      workspace_id: about.workspaceId,
      client_id: client.clientId,
      amount: amount ?? 0,
      metadata,
      ...(currency ? { currency } : {}),
      ...(external_id === undefined ? {} : { external_id }),
      ...(original_external_id === undefined ? {} : { original_external_id }),
    });
    return state === 'not_found';
  } catch (error) {
    // Recording it says so as well, in the words for its sender.
    if (isRefused(error)) return false;
    throw error;
  }
}

const isRefused = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.httpStatus === 400;

async function entriesOf(
  deps: Pick<RecordDeps, 'identity'>,
  { workspaceId, source }: Destination,
  attributed: readonly Attributed[],
): Promise<clients.TrailEntry[]> {
  const needsCurrency = attributed.some(
    ({ event }) => event.eventCategory === 'transaction' && event.currency === undefined,
  );
  const currency = needsCurrency
    ? (await deps.identity.GetSettings({ workspace_id: workspaceId })).default_currency
    : undefined;
  return attributed.map((one) => {
    const receivedAt = inWorkspace(workspaceId, one.receivedAt);
    return toEntry({ ...one, receivedAt }, source, currency);
  });
}

function toEntry(
  { id, event, client, receivedAt }: Attributed,
  source: string,
  fallbackCurrency: string | undefined,
): clients.TrailEntry {
  const isTransaction = event.eventCategory === 'transaction';
  const currency = event.currency ?? (isTransaction ? fallbackCurrency : undefined);
  const at = event.eventTimestamp === undefined ? receivedAt : momentNamed(event.eventTimestamp);
  return {
    id,
    event_category: event.eventCategory,
    event_type: event.eventType,
    source,
    event_timestamp: at.toISOString(),
    metadata: event.metadata ?? {},
    ...(client.clientId === null ? {} : { client_id: client.clientId }),
    ...(client.passId === undefined ? {} : { pass_id: client.passId }),
    ...(event.externalId === undefined ? {} : { external_id: event.externalId }),
    ...(event.originalExternalId === undefined
      ? {}
      : { original_external_id: event.originalExternalId }),
    ...(event.amount === undefined ? {} : { amount: roundToAmount(event.amount) }),
    ...(currency === undefined ? {} : { currency: currency.toUpperCase() }),
  };
}

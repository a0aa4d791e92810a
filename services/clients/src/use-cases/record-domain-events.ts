import type { EventCategory } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  type PointsMoved,
  type RedemptionChanged,
  type ReferralChanged,
  type ReferralCompleted,
  sideIdOf,
  sidesOf,
  type TierChanged,
} from '@laurel/events';
import { groupBy } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { blankEvent, type TrailEvent } from '../domain/trail-event';
import { type InsertDeps, insertTrail } from './insert-trail';
import { standingChanges } from './standing-changes';
import { STORIED_EVENTS, type StoriedEvent, type TrailedEvent } from './trailed-events';
import { attributeAll } from './write-trail';

/** What a domain event says in the trail; one per client whose story it is. */
interface Entry {
  category: EventCategory;
  clientId: string;
  source: string;
  metadata: JsonObject;
  amount?: number;
  pointsDelta?: number;
  id?: string;
}

/**
 * Writes events of other services into the trail and into the profiles of their clients, in the caller's
 * transaction. Rows have the events' own ids, nothing is passed on, and an erased client stays nameless.
 */
export async function recordDomainEvents(
  deps: InsertDeps & Pick<Deps, 'clients' | 'tombstones'>,
  events: readonly TrailedEvent[],
  session: Session,
): Promise<void> {
  for (const [workspaceId, own] of groupBy(events, (event) => event.workspaceid)) {
    const storied = own.filter(isStoried);
    const drafts = storied.flatMap((event) =>
      entriesOf(event).map((entry) => toDraft(entry, event, workspaceId)),
    );
    const ids = drafts.map((draft) => draft.id);
    const known = await deps.events.findMany(workspaceId, ids, session);
    const fresh = drafts.filter((draft) => !known.has(draft.id));
    const unit = { workspaceId, session };
    const rows = await attributeAll(deps, unit, fresh);
    await insertTrail(deps, unit, { rows, learned: standingChanges(own) });
  }
}

const STORIED: ReadonlySet<string> = new Set(STORIED_EVENTS);
const isStoried = (event: TrailedEvent): event is StoriedEvent => STORIED.has(event.type);

function toDraft(entry: Entry, event: StoriedEvent, workspaceId: string): TrailEvent {
  const eventType = event.type.slice(event.type.indexOf('.') + 1);
  return {
    ...blankEvent(entry.category, eventType, {
      id: entry.id ?? event.id,
      workspaceId,
      clientId: entry.clientId,
      passId: null,
      clientName: null,
      timestamp: new Date(event.time),
      source: entry.source,
    }),
    metadata: entry.metadata,
    amount: entry.amount === undefined ? null : toUnits(entry.amount),
    points_delta: entry.pointsDelta === undefined ? null : toUnits(entry.pointsDelta),
  };
}

function entriesOf(event: StoriedEvent): Entry[] {
  switch (event.type) {
    case 'tiers.tier_promoted':
    case 'tiers.tier_demoted':
      return [tierEntry(event.data)];
    case 'rewards.reward_redeemed':
    case 'rewards.reward_used':
    case 'rewards.reward_cancelled':
      return [redemptionEntry(event.data)];
    case 'referrals.referral_created':
    case 'referrals.referral_completed':
    case 'referrals.referral_expired':
    case 'referrals.referral_cancelled':
      return referralEntries(event);
    default:
      return [pointsEntry(event.data)];
  }
}

/** `amount` is what moved, `points_delta` which way; pending points count as owned from the start. */
function pointsEntry({ entry, wallet, client_id: clientId }: PointsMoved): Entry {
  return {
    category: 'loyalty',
    clientId,
    source: entry.source_type,
    amount: Math.abs(entry.amount),
    pointsDelta: entry.amount,
    metadata: {
      points_ledger_id: entry.id,
      points_delta: entry.amount,
      balance_after: entry.balance_after,
      wallet_type_code: wallet.wallet_type_code,
      source_type: entry.source_type,
      source_id: entry.source_id,
      external_id: entry.external_id,
    },
  };
}

function tierEntry(change: TierChanged): Entry {
  return {
    category: 'loyalty',
    clientId: change.client_id,
    source: 'tiers',
    metadata: {
      tier_id: change.tier?.id ?? null,
      tier_name: change.tier?.name ?? null,
      previous_tier_id: change.previous_tier?.id ?? null,
      previous_tier_name: change.previous_tier?.name ?? null,
      manually_assigned: change.manually_assigned,
    },
  };
}

function redemptionEntry({ redemption, reward_name, client_id }: RedemptionChanged): Entry {
  return {
    category: 'loyalty',
    clientId: client_id,
    source: redemption.source,
    amount: redemption.points_spent,
    metadata: {
      redemption_id: redemption.id,
      reward_id: redemption.reward_id,
      reward_name,
      coupon_code: redemption.coupon_code,
      points_ledger_id: redemption.points_ledger_id,
    },
  };
}

/** A completed referral is written once per role; anything else once, about both. */
function referralEntries(event: Extract<StoriedEvent, { type: `referrals.${string}` }>): Entry[] {
  const data: ReferralChanged & Partial<ReferralCompleted> = event.data;
  return sidesOf(data).map(({ role, clientId }) => ({
    category: 'referral',
    clientId,
    source: 'referrals',
    id: sideIdOf(event.id, role),
    metadata: {
      role,
      referral_id: data.referral_id,
      referral_code: data.referral_code,
      ...(data.referrer_completed_count === undefined
        ? {}
        : { referrer_completed_count: data.referrer_completed_count }),
    },
  }));
}

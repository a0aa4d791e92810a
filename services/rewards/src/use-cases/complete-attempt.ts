import type { CloudEvent } from '@laurel/events';
import {
  Neighbours,
  neighboursPer,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { type Connection, fingerprintFor, isOfSome, type Session, unitOfWork } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import type { Coupon } from '../domain/coupon';
import type { Attempt, Redemption } from '../domain/redemption';
import { usages } from '../store/usages';
import { assignCoupon, issueCoupons, issuedTo } from './assign-coupon';
import { redeemedEvents } from './redemption-events';
import { settleAttempt } from './settle-attempt';
import { toCouponReply, toRedemptionReply } from './wire';

/** Somebody else moved the attempt on: it was taken for abandoned. */
export class LostAttempt extends Error {
  override readonly name = 'LostAttempt';
}

/** An attempt whose points are spent. */
interface Paid {
  attempt: Attempt;
  operationKey: string;
  /** The entry that spent them; null where it cost nothing. */
  pointsLedgerId: string | null;
}

/**
 * Gives a paid attempt its coupon and makes it a redemption, in one unit of work with its events.
 * Throws the refusal out_of_coupons, or LostAttempt.
 */
export async function completeAttempt(deps: Deps, paid: Paid): Promise<api.Redeemed> {
  const { attempt } = paid;
  return assignCoupon(deps, attempt, async (coupon) => {
    const redemption = await fulfil(deps, paid, coupon);
    await settleAttempt(deps, attempt, redemption.client_id).catch((error: unknown) =>
      deps.logger.warn({ err: error, redemption_id: attempt.id }, 'marks wait to be settled'),
    );
    const given = coupon && issuedTo(attempt.id, coupon);
    return {
      redemption: toRedemptionReply(redemption, given, attempt.reward.name),
      ...(given ? { coupon: toCouponReply(given) } : {}),
      points_ledger_id: redemption.points_ledger_id,
    };
  });
}

/** A redemption that is to be written, and its events. */
interface Fulfilment {
  deps: Deps;
  /** Whom it was begun for; somebody else by now where the two were merged. */
  clientId: string;
  coupon: Coupon | null;
  redemption: Redemption;
  operationKey: string;
  fingerprint?: string;
  events: readonly CloudEvent[];
}

async function fulfil(
  deps: Deps,
  { attempt, operationKey, pointsLedgerId }: Paid,
  coupon: Coupon | null,
): Promise<Redemption> {
  const { workspace_id: workspaceId, client_id } = attempt;
  const { clientId } = await deps.departures.currentOf(workspaceId, client_id);
  const redemption = {
    ...toRedemption(deps, attempt, coupon),
    client_id: clientId,
    points_ledger_id: pointsLedgerId,
    wallet_type_id: pointsLedgerId === null ? null : attempt.reward.wallet_type_id,
  };
  const events = redeemedEvents(attempt, redemption, coupon?.code ?? null);
  const asked = { clientId: client_id, operationKey, ...fingerprintFor(operationKey) };
  const begun = { deps, coupon, redemption, events, ...asked };
  await fulfilmentsOf(deps.connection).run(workspaceId, begun);
  return redemption;
}

const fulfilmentsOf = neighboursPer<Connection, Fulfilment, undefined>(
  () => new Neighbours(commitFulfilments, undefined, isOfSome),
);

/** Those of one workspace that come at once are one transaction. */
async function commitFulfilments(waiting: readonly Waiting<Fulfilment>[]): Promise<undefined[]> {
  const fulfilments = waiting.map(({ item }) => item);
  const [{ deps }] = fulfilments as [Fulfilment, ...Fulfilment[]];
  await runInContext(soonestOf(waiting.map(({ context }) => context)), () =>
    unitOfWork(deps.connection, (session) => writeAll(deps, fulfilments, session)),
  );
  return fulfilments.map(() => undefined);
}

async function writeAll(
  deps: Deps,
  fulfilments: readonly Fulfilment[],
  session: Session,
): Promise<void> {
  const redemptions = fulfilments.map(({ redemption }) => redemption);
  const workspaceId = redemptions[0]!.workspace_id;
  const dueAt = new Date(deps.clock.now().getTime() + deps.abandonedMs);
  const moved = await deps.attempts.fulfilAll(redemptions, dueAt, session);
  if (moved < redemptions.length) throw new LostAttempt();
  const assignments = fulfilments.flatMap(({ coupon, redemption }) =>
    coupon ? { coupon, redemptionId: redemption.id } : [],
  );
  if (!(await issueCoupons(deps, assignments, session))) throw new LostAttempt();
  await deps.redemptions.insertAll(fulfilments, session);
  for (const { clientId: source, redemption } of fulfilments) {
    const merge = { workspaceId, source, target: redemption.client_id };
    if (merge.source !== merge.target) await usages.mergePerson(deps.connection, merge, session);
  }
  await deps.outbox.append(
    fulfilments.flatMap(({ events }) => events),
    session,
  );
}

function toRedemption({ clock }: Deps, attempt: Attempt, coupon: Coupon | null) {
  return {
    id: attempt.id,
    workspace_id: attempt.workspace_id,
    reward_id: attempt.reward_id,
    points_spent: attempt.cost,
    coupon_id: coupon?.id ?? null,
    status: 'fulfilled' as const,
    redemption_date: clock.now(),
    source: attempt.source,
    metadata: attempt.metadata,
    used_at: null,
    cancelled_at: null,
    counted: countsTowardsLimits(attempt.payment),
    refund: null,
  };
}

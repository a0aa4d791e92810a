import type { CloudEvent } from '@laurel/events';
import {
  Neighbours,
  neighboursPer,
  newId,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { type Connection, isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import type { Coupon } from '../domain/coupon';
import { codeKey, drawCode } from '../domain/pattern';
import type { Attempt, Redemption } from '../domain/redemption';
import { refusals } from '../refusals';
import { presentCoupon, presentRedemption } from '../store/mapping';
import { usages } from '../store/usages';
import { redeemedEvents } from './redemption-events';
import { settleAttempt } from './settle-attempt';

/** Somebody else moved the attempt on: it was taken for abandoned. */
export class LostAttempt extends Error {
  override readonly name = 'LostAttempt';
}

/** Codes tried before a pattern counts as used up. */
const DRAWS_MAX = 16;
/** The first draw that asks which codes are free. */
const LOOK_FIRST = 2;
const CODES_PER_DRAW = 32;

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
  for (let firstDraw = 1; ; firstDraw = LOOK_FIRST) {
    const coupon = await chooseCoupon(deps, attempt, firstDraw);
    try {
      const redemption = await fulfil(deps, paid, coupon);
      await settleAttempt(deps, attempt, redemption.client_id).catch((error: unknown) =>
        deps.logger.warn({ err: error, redemption_id: attempt.id }, 'marks wait to be settled'),
      );
      const given = coupon && issued(coupon, attempt.id);
      return {
        redemption: presentRedemption(redemption, given, attempt.reward.name),
        ...(given ? { coupon: presentCoupon(given) } : {}),
        points_ledger_id: redemption.points_ledger_id,
      };
    } catch (error) {
      // Another redemption got the same code at this moment. It says nothing of how many are left, so no draw is used up.
      if (!isDuplicateKey(error, 'code_key')) throw error;
    }
  }
}

/** Refuses where the reward has no code left to give, as choosing one would; takes none. */
export async function requireCoupon(deps: Deps, attempt: Attempt): Promise<void> {
  const { workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const { code_pattern: pattern, coupons_imported: isImported } = attempt.reward;
  if (isImported && (await deps.coupons.hasFree(workspaceId, rewardId))) return;
  if (pattern !== null) await generateCoupon(deps, attempt, { pattern, firstDraw: LOOK_FIRST });
  else if (isImported) throw refusals.out_of_coupons();
}

/** Imported codes go first, then the pattern; null when the reward gives none. */
async function chooseCoupon(
  deps: Deps,
  attempt: Attempt,
  firstDraw: number,
): Promise<Coupon | null> {
  const { id, workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const { code_pattern: pattern, coupons_imported: isImported } = attempt.reward;
  if (isImported) {
    const claimed = await deps.coupons.claim(workspaceId, rewardId, id);
    if (claimed) return claimed;
  }
  if (pattern !== null) return generateCoupon(deps, attempt, { pattern, firstDraw });
  if (isImported) throw refusals.out_of_coupons();
  return null;
}

async function generateCoupon(
  deps: Deps,
  attempt: Attempt,
  { pattern, firstDraw }: { pattern: string; firstDraw: number },
): Promise<Coupon> {
  const { workspace_id, reward_id } = attempt;
  for (let draw = firstDraw; draw <= DRAWS_MAX; draw += 1) {
    const code = await drawFreeCode(deps, workspace_id, { pattern, draw });
    if (code === null) continue;
    return {
      id: newId(),
      workspace_id,
      reward_id,
      code,
      status: 'available',
      redemption_id: null,
      released_by: null,
      imported: false,
      used_at: null,
      date_created: deps.clock.now(),
    };
  }
  throw refusals.out_of_coupons();
}

/** The first draw is nearly always free, so that the unique index alone judges it. */
async function drawFreeCode(
  { coupons, pickNumber }: Deps,
  workspaceId: string,
  { pattern, draw }: { pattern: string; draw: number },
): Promise<string | null> {
  if (draw < LOOK_FIRST) return drawCode(pattern, pickNumber);
  const codes = Array.from({ length: CODES_PER_DRAW }, () => drawCode(pattern, pickNumber));
  const taken = await coupons.takenKeys(workspaceId, codes);
  return codes.find((code) => !taken.has(codeKey(code))) ?? null;
}

function issued(coupon: Coupon, redemptionId: string): Coupon {
  return { ...coupon, status: 'issued', redemption_id: redemptionId };
}

/** A redemption that is to be written, and what is told of it. */
interface Fulfilment {
  deps: Deps;
  /** Whom it was begun for; somebody else by now where the two were merged. */
  clientId: string;
  coupon: Coupon | null;
  redemption: Redemption;
  operationKey: string;
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
  const begun = { deps, clientId: client_id, coupon, redemption, operationKey, events };
  await fulfilmentsOf(deps.connection).run(workspaceId, begun);
  return redemption;
}

/** A code or an operation that somebody else has, or an attempt that was taken for abandoned, is one redemption's fault. */
const isOfSome = (error: unknown): boolean => isDuplicateKey(error) || error instanceof LostAttempt;

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
  await issueAll(deps, fulfilments, session);
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

async function issueAll(
  { coupons }: Deps,
  fulfilments: readonly Fulfilment[],
  session: Session,
): Promise<void> {
  const drawn: Coupon[] = [];
  for (const { coupon, redemption } of fulfilments) {
    if (!coupon) continue;
    const { workspace_id, id } = coupon;
    if (!coupon.imported) drawn.push(issued(coupon, redemption.id));
    else if (
      !(await coupons.issueClaimed(workspace_id, { id, redemptionId: redemption.id }, session))
    )
      throw new LostAttempt();
  }
  await coupons.insertAll(drawn, session);
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

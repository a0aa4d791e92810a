import { add, larger, subtract, total, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import { findLot } from './lots';
import type { Draft, Lot, Wallet } from './types';

/** An operation would have left a wallet that cannot be: a fault of the program, never committed. */
export class UnsoundWallet extends Error {
  override readonly name = 'UnsoundWallet';
}

/** Wallets with more open lots are checked by what changes in them: they were sound before. */
const WHOLE_CHECK_MAX = 64;

/**
 * Checks in the write path what must hold after every entry (L1, L2 and L5
 * to L7 of tools/chaos/checker/invariants.mjs). Throws UnsoundWallet, so that a wrong balance is refused and alarmed, not committed.
 */
export function assertSound(before: Wallet, draft: Draft, after: Wallet): void {
  const { active, pending, locked, earned, spent, expired, moved } = after.figures;
  must(after.sequence === before.sequence + 1, 'the sequence has a hole');
  must(pending >= 0 && locked >= 0, 'pending or locked points are below zero');
  must(
    earned + moved - spent - expired === active + pending + locked,
    'the totals do not explain the balances',
  );
  if (after.lots.length <= WHOLE_CHECK_MAX) checkLots(after);
  else checkLotChanges(before, draft, after);
  const held = add(ZERO, ...after.holds.map((hold) => hold.amount));
  must(held === locked, 'holds do not add up to the locked balance');
  must(
    active >= 0 || active >= before.figures.active || mayOverdraw(draft),
    'the wallet is overdrawn',
  );
  must(staysUnderCap(before, draft, after), 'the wallet is over its cap');
}

/**
 * Points mature, come back from a hold and expire when no caller is there to hear a no: what came in and was not spent is
 * kept within the range of each figure that it may move to by itself. Throws AmountRangeError.
 */
export function requireRoomToSettle(before: Wallet, after: Wallet): void {
  const cameIn = ({ figures: { earned, moved, spent } }: Wallet) => total(earned, moved, -spent);
  if (cameIn(after) > cameIn(before)) unitsOf(cameIn(after));
}

function checkLots({ lots, figures }: Wallet): void {
  must(
    lots.every(({ remaining }) => remaining > 0),
    'a lot is empty or below zero',
  );
  const { active, pending } = sumLots(lots);
  must(active === larger(figures.active, ZERO), 'active lots do not add up to the active balance');
  must(pending === figures.pending, 'pending lots do not add up to the pending balance');
}

function checkLotChanges(before: Wallet, draft: Draft, after: Wallet): void {
  const changed = (lots: readonly Lot[]): Lot[] =>
    draft.lots.flatMap(({ lot }) => findLot(lots, lot) ?? []);
  const now = changed(after.lots);
  must(
    now.every(({ remaining }) => remaining > 0),
    'a lot is empty or below zero',
  );
  const [was, is] = [sumLots(changed(before.lots)), sumLots(now)];
  const activeBefore = larger(before.figures.active, ZERO);
  const activeAfter = larger(after.figures.active, ZERO);
  must(
    subtract(is.active, was.active) === subtract(activeAfter, activeBefore),
    'active lots do not move with the active balance',
  );
  must(
    subtract(is.pending, was.pending) === subtract(after.figures.pending, before.figures.pending),
    'pending lots do not move with the pending balance',
  );
}

function sumLots(lots: readonly Lot[]): { active: Units; pending: Units } {
  let [active, pending] = [ZERO, ZERO];
  for (const { remaining, maturesAt } of lots) {
    if (maturesAt === null) active = add(active, remaining);
    else pending = add(pending, remaining);
  }
  return { active, pending };
}

function mayOverdraw({ caps, sourceType }: Draft): boolean {
  return caps?.allowNegative === true || sourceType === 'merge';
}

/** L6: an earn never ends above the cap, or above where the balance was. */
function staysUnderCap(before: Wallet, { type, caps }: Draft, after: Wallet): boolean {
  if (type !== 'earn' || !caps || caps.maxBalance === null) return true;
  return after.figures.active <= Math.max(caps.maxBalance, before.figures.active);
}

function must(condition: boolean, complaint: string): void {
  if (!condition) throw new UnsoundWallet(complaint);
}

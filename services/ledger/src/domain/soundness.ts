import { add, larger, type Units, ZERO } from '@laurel/amount';
import type { Draft, Wallet } from './types';

/** An operation would have left a wallet that cannot be: a fault of the program, never committed. */
export class UnsoundWallet extends Error {
  override readonly name = 'UnsoundWallet';
}

/**
 * Checks in the write path what must hold after every entry (research/reliability-anchors.md, L1, L2,
 * L5 to L7). Throws UnsoundWallet, so that a wrong balance is refused and alarmed, not committed.
 */
export function assertSound(before: Wallet, draft: Draft, after: Wallet): void {
  const { active, pending, locked, earned, spent, expired, moved } = after.figures;
  must(after.sequence === before.sequence + 1, 'the sequence has a hole');
  must(pending >= 0 && locked >= 0, 'pending or locked points are below zero');
  must(
    earned + moved - spent - expired === active + pending + locked,
    'the totals do not explain the balances',
  );
  const lots = sumLots(after);
  must(lots.active === larger(active, ZERO), 'active lots do not add up to the active balance');
  must(lots.pending === pending, 'pending lots do not add up to the pending balance');
  must(lots.held === locked, 'holds do not add up to the locked balance');
  must(
    active >= 0 || active >= before.figures.active || mayOverdraw(draft),
    'the wallet is overdrawn',
  );
  must(staysUnderCap(before, draft, after), 'the wallet is over its cap');
}

function sumLots(wallet: Wallet): { active: Units; pending: Units; held: Units } {
  let active = 0;
  let pending = 0;
  for (const { remaining, maturesAt } of wallet.lots) {
    must(remaining > 0, 'a lot is empty or below zero');
    if (maturesAt === null) active += remaining;
    else pending += remaining;
  }
  const held = add(ZERO, ...wallet.holds.map((hold) => hold.amount));
  return { active: active as Units, pending: pending as Units, held };
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

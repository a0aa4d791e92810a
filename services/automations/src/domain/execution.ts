import type { ExecutionStatus as Ended } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import { add, toUnits, type Units, ZERO } from '@laurel/values/amount';
import type { PlannedEffect } from './plan';

export type EffectStatus = 'applied' | 'skipped' | 'failed' | 'not_run';

/** What came of one effect. */
export interface EffectResult {
  type: PlannedEffect['type'];
  status: EffectStatus;
  /** Points that the ledger really credited or took: a cap may have made them fewer. */
  points?: number;
  reason?: string;
  /** What the effect made: a ledger entry, a redemption. */
  [detail: string]: Json | undefined;
}

/** running is not for others: an execution is shown once it has ended. */
export type ExecutionStatus = 'running' | Ended;

/**
 * How an execution ended, from what came of its effects. One whose effects were all left out was
 * skipped; the first failure is the execution's.
 */
export function endOf(results: readonly EffectResult[]): {
  status: Exclude<ExecutionStatus, 'running'>;
  errorMessage: string | null;
} {
  const failure = results.find(({ status }) => status === 'failed');
  if (failure) return { status: 'failed', errorMessage: `${failure.type}: ${failure.reason}` };
  const [first] = results;
  if (first && results.every(({ status }) => status === 'skipped'))
    return { status: 'skipped', errorMessage: first.reason ?? null };
  return { status: 'success', errorMessage: null };
}

/** Points that the client got from the effects of an execution. */
export function pointsAwarded(results: readonly EffectResult[]): Units {
  const earned = results.filter(
    ({ type, status }) => type === 'earn_points' && status === 'applied',
  );
  return add(ZERO, ...earned.map(({ points = 0 }) => toUnits(points)));
}

import { setTimeout as pause } from 'node:timers/promises';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { EffectResult } from '../domain/execution';
import type { Execution } from '../store/execution-document';

const EVERY_MS = 50;
const WAIT_MS_MAX = 5_000;
const DAY_MS = 86_400_000;

type FollowDeps = Pick<Deps, 'clock' | 'consideredEvents' | 'executions'>;

/**
 * What rules did about a purchase at a till, and whether all that asked for it have had their turn; waits for that at
 * most as long as is asked. What is older than a day is waited for no more: nothing is kept to tell by.
 */
export async function followEvent(
  deps: FollowDeps,
  request: api.FollowEventRequest,
): Promise<api.FollowedEvent> {
  const waitMs = Math.min(request.wait_ms, WAIT_MS_MAX);
  for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
    const isLast = waitedMs >= waitMs;
    // In this order: an event counts as considered only once its executions are there.
    const isConsidered = await hasBeenConsidered(deps, request);
    if (isConsidered || isLast) {
      const found = await executionsOf(deps, request);
      const done = isConsidered && found.every(({ status }) => status !== 'running');
      if (done || isLast)
        return { done, gifts: found.flatMap(giftsOf), failed_rules: failedOf(found) };
    }
    await pause(EVERY_MS);
  }
}

async function hasBeenConsidered(
  { clock, consideredEvents }: FollowDeps,
  { workspace_id: workspaceId, event_id, since }: api.FollowEventRequest,
): Promise<boolean> {
  const isOld = clock.now().getTime() - new Date(since).getTime() > DAY_MS;
  return isOld || consideredEvents.has(workspaceId, event_id);
}

const executionsOf = (
  { executions }: FollowDeps,
  { workspace_id, client_id: clientId, event_id: eventId, since }: api.FollowEventRequest,
): Promise<Execution[]> => executions.ofEvent(workspace_id, { clientId, eventId }, new Date(since));

const failedOf = (executions: readonly Execution[]): string[] => {
  const failed = executions.filter(({ status }) => status === 'failed');
  return [...new Set(failed.map(({ ruleName }) => ruleName))];
};

function giftsOf({ ruleName, results }: Execution): api.Gift[] {
  return results
    .filter(({ status }) => status === 'applied')
    .flatMap((result) => giftOf(ruleName, result));
}

function giftOf(rule_name: string, { type, points = 0, ...made }: EffectResult): api.Gift[] {
  if (type === 'earn_points' || type === 'deduct_points')
    return [
      {
        rule_name,
        entry_id: String(made.points_ledger_id),
        wallet_type_code: String(made.wallet_type_code),
        points,
      },
    ];
  if (type !== 'give_reward') return [];
  const { reward_id, redemption_id, coupon_code = null } = made;
  return [
    {
      rule_name,
      reward_id: String(reward_id),
      redemption_id: String(redemption_id),
      ...(coupon_code === null ? {} : { coupon_code: String(coupon_code) }),
    },
  ];
}

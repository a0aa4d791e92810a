import { copyNameOf } from '@laurel/contract';
import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { rewards as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toRewardReply } from './wire';

/**
 * A copy of a reward, switched off: its fields without its key, its uses and its imported codes. One that gives out imported
 * codes alone is out of coupons until it has some: no client pays for a redemption without a code.
 */
export async function duplicateReward(
  { connection, rewards, outbox, clock }: Pick<Deps, 'connection' | 'rewards' | 'outbox' | 'clock'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Reward> {
  return commitOnce(connection, async (session) => {
    const original = await rewards.find(workspaceId, id, session);
    if (!original) throw refusals.rewardNotFound();
    const { key: _key, ...fields } = original;
    const now = clock.now();
    const copy = {
      ...fields,
      id: newId(),
      name: copyNameOf(original.name, await rewards.names(workspaceId, session)),
      active: false,
      used: 0,
      revision: 1,
      date_created: now,
      date_updated: now,
    };
    await rewards.insert(copy, session);
    const data = { reward_id: copy.id, change: 'created' as const };
    const about = { workspaceId, subject: copy.id, data };
    await outbox.append([createEvent('rewards.reward_changed', about)], session);
    return toRewardReply(copy);
  });
}

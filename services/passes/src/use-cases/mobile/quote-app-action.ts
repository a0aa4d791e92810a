import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { pointsRequest } from './execute/points';
import { rewardRequest } from './execute/rewards';
import { speakingOf, type Task } from './execute/task';
import { saleOf } from './execute/transaction';
import { balancesOf, taskOf } from './execute-app-action';
import type { PassDeps } from './open-app';

type QuoteDeps = PassDeps & MobileDeps;

/**
 * What running an action would come to as things stand, rules included; refused as running it would be, as far as that
 * can be told without doing it. Data and tiers move no points: nothing is foretold of them.
 */
export async function quoteAppAction(
  deps: QuoteDeps,
  request: api.ExecuteMobileAppActionRequest,
): Promise<api.MobileQuote> {
  const task = await taskOf(deps, request);
  const [effects, balances] = await Promise.all([effectsOf(deps, task), balancesOf(deps, task)]);
  return { effects, balances };
}

async function effectsOf(deps: QuoteDeps, task: Task): Promise<api.QuotedEffect[]> {
  const { action_type: type, name: summary } = task.action;
  switch (type) {
    case 'add_points':
    case 'remove_points': {
      const { amount, wallet_type_code } = await pointsRequest(deps, task);
      return [
        { type, summary, wallet_type_code, points: type === 'add_points' ? amount : -amount },
      ];
    }
    case 'redeem_reward': {
      const asked = { ...rewardRequest(task), purchasable_only: true };
      const preview = await speakingOf(
        { reward_id: 'data.reward_id', client_id: 'pass_id' },
        deps.rewards.PreviewRedemption(asked),
      );
      const told = preview.would_succeed ? summary : (preview.reason ?? summary);
      const points = preview.would_succeed ? 0 - preview.points_cost : null;
      return [{ type, summary: told, wallet_type_code: null, points }];
    }
    case 'add_transaction':
      return effectsOfSale(deps, task);
    default:
      return [];
  }
}

/** What the shop's rules would give for it. */
async function effectsOfSale(deps: QuoteDeps, task: Task): Promise<api.QuotedEffect[]> {
  const event = { trigger_type: 'transaction', ...(await saleOf(deps, task)) };
  const { matched } = await speakingOf(
    { client_id: 'pass_id' },
    deps.automations.Simulate({
      workspace_id: task.workspaceId,
      client_id: task.clientId,
      event,
    }),
  );
  return matched.flatMap(({ effects }) =>
    effects.map(({ type, summary, wallet_type_code = null, points = null }) => ({
      type,
      summary,
      wallet_type_code,
      points,
    })),
  );
}

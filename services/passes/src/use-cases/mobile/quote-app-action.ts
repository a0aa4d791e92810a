import type { AppActionType } from '@laurel/contract';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { foretellTier } from './execute/change-tier';
import { foretellUpdate } from './execute/client-data';
import { foretellAdding, foretellRemoving } from './execute/points';
import { foretellGranting, foretellRedeeming } from './execute/rewards';
import { type Foretell, speakingOf } from './execute/task';
import { saleOf } from './execute/transaction';
import { balancesOf, taskOf } from './execute-app-action';
import type { PassDeps } from './open-app';

type QuoteDeps = PassDeps & MobileDeps;

/** What the shop's rules would give for a purchase. */
const foretellSale: Foretell<QuoteDeps> = async (deps, task) => {
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
};

const FORETELL: { [Type in AppActionType]: Foretell<QuoteDeps> } = {
  add_transaction: foretellSale,
  add_points: foretellAdding,
  remove_points: foretellRemoving,
  redeem_reward: foretellRedeeming,
  grant_reward: foretellGranting,
  update_client_data: foretellUpdate,
  change_tier: foretellTier,
};

/**
 * What running an action would come to as things stand, rules included. Each is put to the service that would do it,
 * which refuses as it would then.
 */
export async function quoteAppAction(
  deps: QuoteDeps,
  request: api.ExecuteMobileAppActionRequest,
): Promise<api.MobileQuote> {
  const task = await taskOf(deps, request);
  const [effects, balances] = await Promise.all([
    FORETELL[task.action.action_type](deps, task),
    balancesOf(deps, task),
  ]);
  return { effects, balances };
}

import type { AppActionType } from '@laurel/contract';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { foretellTier } from './execute/change-tier';
import { foretellUpdate } from './execute/client-data';
import { foretellAdding, foretellRemoving } from './execute/points';
import { foretellGranting, foretellRedeeming } from './execute/rewards';
import { type Foretell, type Foretold, speakingOf, type Task } from './execute/task';
import { foretellSale } from './execute/transaction';
import { balancesOf, taskOf } from './execute-app-action';
import type { PassDeps } from './open-app';

type QuoteDeps = PassDeps & MobileDeps;

const FORETELL: { [Type in AppActionType]: Foretell } = {
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
  const [quoted, balances] = await Promise.all([foretold(deps, task), balancesOf(deps, task)]);
  return { ...quoted, balances };
}

type Quoted = Pick<api.MobileQuote, 'effects' | 'is_cut'>;

async function foretold(deps: QuoteDeps, task: Task): Promise<Quoted> {
  const { effects, told } = await FORETELL[task.action.action_type](deps, task);
  if (!told) return { effects, is_cut: false };
  const ruled = await ofRules(deps, task, told);
  return { ...ruled, effects: [...effects, ...ruled.effects] };
}

/** What a refund takes back by itself, and what the rules of the shop would do, also over what others of them do. */
async function ofRules(
  { automations }: QuoteDeps,
  { workspaceId, clientId }: Task,
  told: NonNullable<Foretold['told']>,
): Promise<Quoted> {
  const request = { workspace_id: workspaceId, client_id: clientId, ...told };
  const { matched, following, refund, is_cut } = await speakingOf(
    { client_id: 'pass_id' },
    automations.Simulate(request),
  );
  const taken = (refund?.taken ?? []).map(({ wallet_type_code, amount }) => ({
    type: 'refund_points',
    summary: `take back ${-amount} ${wallet_type_code}`,
    wallet_type_code,
    points: amount,
  }));
  const rules = [...matched, ...following.map(({ rule }) => rule!)];
  const given = rules.flatMap(({ effects }) =>
    effects.map(({ type, summary, wallet_type_code = null, points = null }) => ({
      type,
      summary,
      wallet_type_code,
      points,
    })),
  );
  return { effects: [...taken, ...given], is_cut };
}

import type { CampaignActionStatus, CampaignActionType } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import type { ResultCounts } from './audience';

/** Each makes every member's record longer, and statistics with it. */
export const ACTIONS_MAX = 50;

/** action_config of part 2, Campaign action, by type. */
export interface ActionConfigs {
  push_notification: { notification_message: string };
  template_switch: { target_template_id: string; duration_days: number | null };
  custom_field_update: { custom_field_updates: { [name: string]: Json } };
  give_reward: { reward_ids: string[] };
  assign_tier: { tier_id: string; duration_days: number | null };
}

/** What an action does: its type with the config of that type. */
export type Deed = {
  [Type in CampaignActionType]: { action_type: Type; action_config: ActionConfigs[Type] };
}[CampaignActionType];

/** Columns of part 2, Campaign action, and where its execution stands. */
export type Action = Deed & {
  id: string;
  workspace_id: string;
  campaign_id: string;
  status: CampaignActionStatus;
  sort: number;
  executed_at: Date | null;
  /** Why it failed before it came to anybody; null where what became of its members tells it. */
  error_message: string | null;
  date_created: Date;
  /** Whether it is to be executed; it stays so afterwards. */
  requested: boolean;
  /** How many members of the audience it has been through. */
  progress: number;
  /** How many members stand in parts that replicas share, or stood there; 0 where the audience is too small to be shared. */
  handedOut: number;
};

/** Pass actions reach passes; the others reach each client once, pass or not (part 3, section 16). */
export function reachesPasses({ action_type: type }: Pick<Action, 'action_type'>): boolean {
  return type === 'push_notification' || type === 'template_switch';
}

export function isDone({ status }: Action): boolean {
  return status === 'completed' || status === 'failed';
}

/** Whether an action is asked for and not done. */
export function isAwaited(action: Action): boolean {
  return action.requested && !isDone(action);
}

/** Where an action without a sort of its own goes: behind the others. */
export function lastSort(actions: readonly Action[]): number {
  return actions.reduce((last, { sort }) => Math.max(last, sort), -1) + 1;
}

/** A new pending action. */
export function newAction(
  identity: { id: string; workspaceId: string; campaignId: string; now: Date },
  deed: Deed,
  sort: number,
): Action {
  return {
    id: identity.id,
    workspace_id: identity.workspaceId,
    campaign_id: identity.campaignId,
    ...deed,
    status: 'pending',
    sort,
    executed_at: null,
    error_message: null,
    date_created: identity.now,
    requested: false,
    progress: 0,
    handedOut: 0,
  };
}

/** What comes of an action: it failed when it was tried on somebody and succeeded with none. */
export function statusAfter({
  completed,
  failed,
}: Pick<ResultCounts, 'completed' | 'failed'>): CampaignActionStatus {
  return completed === 0 && failed > 0 ? 'failed' : 'completed';
}

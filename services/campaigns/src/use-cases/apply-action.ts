import type { CampaignActionType } from '@laurel/contract';
import { type JsonObject, Refusal } from '@laurel/errors';
import { currentContext, runInContext } from '@laurel/lifecycle';
import type { clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import type { Member, Result } from '../domain/audience';

/** What came of an action for one member. */
export interface Applied {
  result: Result;
  error: string | null;
  rewardsIssued: number;
  /** What the trail says of it; null where another service has told it already, or there is nothing to tell. */
  told: JsonObject | null;
}

type Of<Type extends CampaignActionType> = Extract<Action, { action_type: Type }>;

/** Whom an action is for. `client` is there for actions that look at the client first. */
interface Task<Type extends CampaignActionType> {
  action: Of<Type>;
  member: Member;
  client: clientsApi.Client | undefined;
}

type Apply<Type extends CampaignActionType> = (deps: Deps, task: Task<Type>) => Promise<Applied>;

/** The source of all that a campaign does (part 2, Events). */
export const sourceOf = (campaignId: string): string => `campaign:${campaignId}`;

/** Names one action for one pass or client, however often it is tried: other services do it once under this name. */
export function operationOf(action: Action, { client_id, pass_id }: Member): string {
  const isForPass = action.action_type in FOR_PASSES;
  return `campaign:${action.id}:${isForPass ? pass_id : client_id}`;
}

/** Texts that are sent in one call. */
export const NOTICES_MAX = 500;

/**
 * Pushes one text to many members at once; for actions of that kind. Throws where the service that
 * does it is away or fails: none or all of them may have been served then, and are not served again.
 */
export async function pushToAll(
  { passes }: Pick<Deps, 'passes'>,
  action: Action,
  served: readonly { member: Member; client: clientsApi.Client | undefined }[],
): Promise<Applied[]> {
  const { notification_message: notification } = (action as Of<'push_notification'>).action_config;
  const reasons = served.map(({ member, client }) => outOfReach(member, client));
  const reached = served.filter((_, at) => reasons[at] === null);
  const notices = reached.map(({ member }) => ({
    pass_id: member.pass_id!,
    operation_id: operationOf(action, member),
  }));
  const { workspace_id } = action;
  const notified =
    notices.length === 0
      ? []
      : (await passes.NotifyPasses({ workspace_id, notification, notices })).passes;
  const refusals = new Map(notified.map(({ pass_id, refusal = null }) => [pass_id, refusal]));
  return served.map(({ member: { pass_id } }, at): Applied => {
    if (reasons[at]) return unreachable(reasons[at]);
    const refusal = refusals.get(pass_id!);
    return refusal
      ? { result: 'failed', error: refusal, rewardsIssued: 0, told: null }
      : done({ notification_message: notification });
  });
}

/** Why a text does not reach a member; null where it does. */
function outOfReach({ pass_id }: Member, client: clientsApi.Client | undefined): string | null {
  if (pass_id === null) return 'the client has no pass';
  if (client?.status !== 'active') return 'the client is not active';
  return client.marketing_consent ? null : 'no marketing consent';
}

/** Applies an action to one member. Refusals of the service that does it are thrown as they are. */
export function applyAction(
  deps: Deps,
  action: Action,
  member: Member,
  client: clientsApi.Client | undefined,
): Promise<Applied> {
  const apply = APPLY[action.action_type] as Apply<typeof action.action_type>;
  return apply(deps, { action: action as never, member, client });
}

const FOR_PASSES = { push_notification: true, template_switch: true };

const APPLY: { [Type in CampaignActionType]: Apply<Type> } = {
  async push_notification(deps, { action, member, client }) {
    const { workspace_id, pass_id } = member;
    const reason = outOfReach(member, client);
    if (reason !== null) return unreachable(reason);
    const { notification_message: notification } = action.action_config;
    await asOperation(operationOf(action, member), () =>
      deps.passes.UpdatePass({ workspace_id, id: pass_id!, notification }),
    );
    return done({ notification_message: notification });
  },

  async template_switch(deps, { action, member }) {
    const { workspace_id, pass_id } = member;
    if (pass_id === null) return unreachable('the client has no pass');
    const { target_template_id: pass_template_id, duration_days } = action.action_config;
    const change = { pass_template_id, ...(duration_days === null ? {} : { duration_days }) };
    await asOperation(operationOf(action, member), () =>
      deps.passes.UpdatePass({ workspace_id, id: pass_id, ...change }),
    );
    return done({ target_template_id: pass_template_id, duration_days });
  },

  async custom_field_update(deps, { action, member }) {
    const { workspace_id, client_id: id, campaign_id } = member;
    await asOperation(operationOf(action, member), () =>
      deps.clients.UpdateClient({
        workspace_id,
        id,
        custom_fields: action.action_config.custom_field_updates,
        change_source: sourceOf(campaign_id),
      }),
    );
    return done(null);
  },

  async give_reward(deps, { action, member }) {
    const { workspace_id, client_id, campaign_id } = member;
    const given: string[] = [];
    const refused: string[] = [];
    for (const reward_id of action.action_config.reward_ids) {
      try {
        const { redemption } = await deps.rewards.GiveReward({
          workspace_id,
          client_id,
          reward_id,
          source: 'campaign',
          metadata: { campaign_id, campaign_action_id: action.id },
          operation_id: operationOf(action, member),
        });
        given.push(redemption!.id);
      } catch (error) {
        if (!isFinal(error)) throw error;
        refused.push(error.message);
      }
    }
    return {
      result: refused.length > 0 ? 'failed' : 'completed',
      error: refused.length > 0 ? refused.join('; ') : null,
      rewardsIssued: given.length,
      told: given.length > 0 ? { redemption_ids: given } : null,
    };
  },

  async assign_tier(deps, { action, member }) {
    const { workspace_id, client_id } = member;
    const { tier_id, duration_days } = action.action_config;
    await asOperation(operationOf(action, member), () =>
      deps.tiers.AssignTier({ workspace_id, client_id, tier_id, duration_days }),
    );
    return done({ tier_id, duration_days });
  },
};

/** A refusal that would be the same if it was tried again. */
export function isFinal(error: unknown): error is Refusal {
  return error instanceof Refusal && error.httpStatus < 500 && error.httpStatus !== 429;
}

/** A command whose reply the other service keeps, so that a repeat changes nothing. */
function asOperation<T>(operationId: string, command: () => Promise<T>): Promise<T> {
  return runInContext({ ...currentContext(), operationId, operationKept: true }, command);
}

function done(told: JsonObject | null): Applied {
  return { result: 'completed', error: null, rewardsIssued: 0, told };
}

function unreachable(reason: string): Applied {
  return { result: 'unreachable', error: reason, rewardsIssued: 0, told: null };
}

import type { CampaignActionType } from '@laurel/contract';
import { isRefusedAs, type JsonObject, platform } from '@laurel/errors';
import { keptOperation, runInContext } from '@laurel/lifecycle';
import type { clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import type { Member, Result } from '../domain/audience';

/** What came of an action for one member. */
export interface Applied {
  result: Result;
  error: string | null;
  rewardsIssued: number;
  /** What the trail says of it; null where another service has sent it already, or there is nothing to say. */
  told: JsonObject | null;
}

type Of<Type extends CampaignActionType> = Extract<Action, { action_type: Type }>;

/** Somebody an action is for. `client` is there for actions that look at the client first. */
export interface Served {
  member: Member;
  client: clientsApi.Client | undefined;
}

/** Says of each member, in their order, what came of it. */
type Apply<Type extends CampaignActionType> = (
  deps: Deps,
  action: Of<Type>,
  served: readonly Served[],
) => Promise<Applied[]>;

/** The source of all that a campaign does (part 2, Events). */
export const sourceOf = (campaignId: string): string => `campaign:${campaignId}`;

/** Names one action for one pass or client, however often it is tried: other services do it once under this name. */
export function operationOf(action: Action, { client_id, pass_id }: Member): string {
  const isForPass = action.action_type in FOR_PASSES;
  return `campaign:${action.id}:${isForPass ? pass_id : client_id}`;
}

/** Whom one call serves at most. */
const TOGETHER_MAX: Record<CampaignActionType, number> = {
  push_notification: 500,
  custom_field_update: 250,
  assign_tier: 250,
  // Each of them is an attempt of its own, and all of them must fit into the time of a call.
  give_reward: 50,
  // A pass goes through a door of the template, by itself.
  template_switch: 1,
};

/** How many members one call of the service that does it serves. */
export const servedTogetherMax = ({ action_type: type }: Action): number => TOGETHER_MAX[type];

/**
 * Applies an action to members in one call, each under an operation of its own. Throws where the service that does it is
 * away or fails, or refuses the action itself: none, some or all of them may have been served then, and are
 * not served again.
 */
export function applyAction(
  deps: Deps,
  action: Action,
  served: readonly Served[],
): Promise<Applied[]> {
  const apply = APPLY[action.action_type] as Apply<typeof action.action_type>;
  return apply(deps, action as never, served);
}

/** Its client has it no more, and no other has: it went, or a merge took it off the client, who has one on its template already. */
export const PASS_GONE = 'the client has no such pass any more';

const FOR_PASSES = { push_notification: true, template_switch: true };

const APPLY: { [Type in CampaignActionType]: Apply<Type> } = {
  async push_notification({ passes }, action, served) {
    const { notification_message: notification } = action.action_config;
    const { workspace_id } = action;
    const reached = served.filter((each) => outOfReach(each) === null);
    const notices = reached.map(({ member }) => ({
      pass_id: member.pass_id!,
      operation_id: operationOf(action, member),
      client_id: member.client_id,
    }));
    const notified =
      notices.length === 0
        ? []
        : (await passes.NotifyPasses({ workspace_id, notification, notices })).passes;
    const answers = new Map(reached.map((each, at) => [each, notified[at]]));
    return served.map((each) => {
      const reason = outOfReach(each);
      if (reason !== null) return unreachable(reason);
      const { refusal, is_missing: isMissing } = answers.get(each) ?? {};
      if (isMissing) return unreachable(PASS_GONE);
      return doneUnless(refusal, { notification_message: notification });
    });
  },

  async template_switch(deps, action, served) {
    const { target_template_id: pass_template_id, duration_days } = action.action_config;
    const change = { pass_template_id, ...(duration_days === null ? {} : { duration_days }) };
    const applied: Applied[] = [];
    for (const { member } of served) {
      const { workspace_id, pass_id, client_id: for_client_id } = member;
      if (pass_id === null) {
        applied.push(unreachable('the client has no pass'));
        continue;
      }
      const told = { target_template_id: pass_template_id, duration_days };
      try {
        await asOperation(operationOf(action, member), () =>
          deps.passes.UpdatePass({ workspace_id, id: pass_id, for_client_id, ...change }),
        );
        applied.push(done(told));
      } catch (error) {
        if (!isRefusedAs(error, platform.recordNotFound)) throw error;
        applied.push(unreachable(PASS_GONE));
      }
    }
    return applied;
  },

  async custom_field_update({ clients }, action, served) {
    const { workspace_id, campaign_id } = action;
    const changed = await clients.UpdateCustomFields({
      workspace_id,
      custom_fields: action.action_config.custom_field_updates,
      change_source: sourceOf(campaign_id),
      changes: operationsOf(action, served),
    });
    const refusals = new Map(changed.clients.map(({ client_id, refusal }) => [client_id, refusal]));
    return served.map(({ member }) => doneUnless(refusals.get(member.client_id), null));
  },

  async give_reward({ rewards }, action, served) {
    const { workspace_id, campaign_id, id: campaign_action_id } = action;
    const gifts = operationsOf(action, served);
    const given = new Map<string, string[]>();
    const refused = new Map<string, string[]>();
    const note = (map: Map<string, string[]>, clientId: string, text: string) =>
      map.set(clientId, [...(map.get(clientId) ?? []), text]);
    for (const reward_id of action.action_config.reward_ids) {
      const metadata = { campaign_id, campaign_action_id };
      const gift = { workspace_id, reward_id, source: 'campaign', metadata, gifts };
      for (const { client_id, redemption_id, refusal } of (await rewards.GiveRewards(gift)).given) {
        if (redemption_id !== undefined) note(given, client_id, redemption_id);
        if (refusal !== undefined) note(refused, client_id, refusal);
      }
    }
    return served.map(({ member: { client_id } }) => {
      const redemption_ids = given.get(client_id) ?? [];
      const reasons = refused.get(client_id) ?? [];
      return {
        result: reasons.length > 0 ? 'failed' : 'completed',
        error: reasons.length > 0 ? reasons.join('; ') : null,
        rewardsIssued: redemption_ids.length,
        told: redemption_ids.length > 0 ? { redemption_ids } : null,
      };
    });
  },

  async assign_tier({ tiers }, action, served) {
    const { tier_id, duration_days } = action.action_config;
    const { workspace_id } = action;
    const assignments = operationsOf(action, served);
    const request = { workspace_id, tier_id, duration_days, assignments };
    const { clients } = await tiers.AssignTiers(request);
    const refusals = new Map(clients.map(({ client_id, refusal }) => [client_id, refusal]));
    return served.map(({ member }) =>
      doneUnless(refusals.get(member.client_id), { tier_id, duration_days }),
    );
  },
};

/** Each client once, though a merge may have made one of two. */
function operationsOf(
  action: Action,
  served: readonly Served[],
): { client_id: string; operation_id: string }[] {
  const byClient = new Map(served.map(({ member }) => [member.client_id, member]));
  return [...byClient].map(([client_id, member]) => ({
    client_id,
    operation_id: operationOf(action, member),
  }));
}

/** Why a text does not reach a member; null where it does. */
function outOfReach({ member: { pass_id }, client }: Served): string | null {
  if (pass_id === null) return 'the client has no pass';
  if (client?.status !== 'active') return 'the client is not active';
  return client.marketing_consent ? null : 'no marketing consent';
}

/** A command whose reply the other service keeps, so that a repeat changes nothing. */
function asOperation<T>(operationId: string, command: () => Promise<T>): Promise<T> {
  return runInContext(keptOperation(operationId), command);
}

function done(told: JsonObject | null): Applied {
  return { result: 'completed', error: null, rewardsIssued: 0, told };
}

function doneUnless(refusal: string | undefined, told: JsonObject | null): Applied {
  return refusal === undefined ? done(told) : failed(refusal);
}

export function failed(error: string): Applied {
  return { result: 'failed', error, rewardsIssued: 0, told: null };
}

function unreachable(reason: string): Applied {
  return { result: 'unreachable', error: reason, rewardsIssued: 0, told: null };
}

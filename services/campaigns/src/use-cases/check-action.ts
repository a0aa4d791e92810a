import { CAMPAIGN_ACTION_TYPES, type CampaignActionType } from '@laurel/contract';
import {
  invalidField,
  invalidPayload,
  type Json,
  type JsonObject,
  type Problem,
  Refusal,
} from '@laurel/errors';
import type { Deps } from '../deps';
import type { Deed } from '../domain/action';
import { parseConfig } from '../domain/action-config';

type CheckDeps = Pick<Deps, 'clients' | 'passes' | 'rewards' | 'tiers'>;

/**
 * What an action is to do, checked: its config has the form of its type, and what it names belongs to
 * the workspace. Everything else is refused, with the path of each problem.
 */
export async function checkAction(
  deps: CheckDeps,
  workspaceId: string,
  given: { type: string; config: Json | undefined },
): Promise<Deed> {
  const type = typeOf(given.type);
  const parsed = parseConfig(type, given.config);
  if (!('config' in parsed)) throw invalidPayload(parsed.problems);
  const deed = { action_type: type, action_config: parsed.config } as unknown as Deed;
  const problems = await referenceProblems(deps, workspaceId, deed);
  if (problems.length > 0) throw invalidPayload(problems);
  return deed;
}

function typeOf(text: string): CampaignActionType {
  const type = CAMPAIGN_ACTION_TYPES.find((known) => known === text);
  if (type) return type;
  throw invalidField(
    'action_type',
    `action_type must be one of ${CAMPAIGN_ACTION_TYPES.join(', ')}`,
  );
}

async function referenceProblems(
  deps: CheckDeps,
  workspaceId: string,
  { action_type: type, action_config: config }: Deed,
): Promise<Problem[]> {
  switch (type) {
    case 'template_switch': {
      const request = { workspace_id: workspaceId, ids: [config.target_template_id] };
      const { templates } = await deps.passes.GetTemplates(request);
      return templates.length > 0 ? [] : [unknown('target_template_id', 'pass template')];
    }
    case 'give_reward': {
      const request = { workspace_id: workspaceId, ids: config.reward_ids };
      const known = new Set((await deps.rewards.GetRewards(request)).rewards.map(({ id }) => id));
      return config.reward_ids.flatMap((id, index) =>
        known.has(id) ? [] : [unknown(`reward_ids.${index}`, 'reward')],
      );
    }
    case 'assign_tier': {
      const request = { workspace_id: workspaceId, ids: [config.tier_id] };
      const [tier] = (await deps.tiers.GetTiers(request)).tiers;
      if (!tier) return [unknown('tier_id', 'tier')];
      const field = 'action_config.tier_id';
      const message = `${field} must be an exclusive tier`;
      return tier.kind === 'exclusive' ? [] : [{ field, message }];
    }
    case 'custom_field_update':
      return fieldProblems(deps, workspaceId, config.custom_field_updates);
    default:
      return [];
  }
}

/** What the data model says about the values, at the places where they stand here. */
async function fieldProblems(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  custom_fields: JsonObject,
): Promise<Problem[]> {
  const place = (text: string) =>
    text.replace('custom_fields', 'action_config.custom_field_updates');
  try {
    await clients.CheckCustomFields({ workspace_id: workspaceId, custom_fields });
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus !== 400) throw error;
    return error.problems.map(({ field = 'custom_fields', message, ...problem }) => ({
      ...problem,
      field: place(field),
      message: place(message),
    }));
  }
}

function unknown(key: string, what: string): Problem {
  const field = `action_config.${key}`;
  return { field, message: `${field}: there is no such ${what} in the workspace` };
}

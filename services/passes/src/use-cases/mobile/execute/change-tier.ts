import { invalidField, type JsonObject } from '@laurel/errors';
import type { TierConfig } from '../schema/action-config';
import type { TierData } from '../schema/action-data';
import {
  type Execute,
  type ExecuteDeps,
  type Foretell,
  NOTHING_FORETOLD,
  speakingOf,
  type Task,
} from './task';

const FIELD = 'data.tier_id';
const FIELDS = { tier_id: FIELD, duration_days: 'data.duration_days', client_id: 'pass_id' };

/** Gives the client an exclusive tier, by the way that all assignments go. */
export const changeTier: Execute = async (deps, task) => {
  const request = await tierRequest(deps, task);
  const standing = await speakingOf(FIELDS, deps.tiers.AssignTier(request));
  return standing as unknown as JsonObject;
};

/** Moves no points: what matters of it is whether it would be refused. */
export const foretellTier: Foretell = async (deps, task) => {
  const request = await tierRequest(deps, task);
  await speakingOf(FIELDS, deps.tiers.QuoteAssignment(request));
  return NOTHING_FORETOLD;
};

/** What the tiers are to be asked: a tier that the action may give, for as long as it lets staff choose. */
async function tierRequest(
  { tiers }: Pick<ExecuteDeps, 'tiers'>,
  { workspaceId, clientId, action, data }: Task,
) {
  const config = action.action_config as TierConfig;
  const { tier_id: tierId, duration_days: wished } = data as unknown as TierData;
  const known = await tiers.GetTiers({ workspace_id: workspaceId, ids: [tierId] });
  if (known.tiers[0]?.kind !== 'exclusive')
    throw invalidField(FIELD, 'there is no such exclusive tier in the workspace');
  if (config.excluded_tier_ids?.includes(tierId))
    throw invalidField(FIELD, 'the action does not give this tier');
  const byDefault = config.default_duration_days ?? null;
  return {
    workspace_id: workspaceId,
    client_id: clientId,
    tier_id: tierId,
    duration_days: config.allow_duration ? (wished ?? byDefault) : byDefault,
  };
}

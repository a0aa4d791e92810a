import type { AppActionType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { invalidPayload, type Problem } from '@laurel/errors';
import type { MobileDeps } from '../../deps';
import { refusals } from '../../refusals';
import type { PointsConfig, TierConfig } from './schema/action-config';

/** Refuses, one by one, the entries of a list that name nothing in the workspace. */
function requireKnown(
  field: string,
  { given, known }: { given: readonly string[]; known: ReadonlySet<string> },
  sentence: string,
): void {
  const problems = given.flatMap((id, place): Problem[] =>
    known.has(id) ? [] : [{ field: `${field}.${place}`, message: sentence }],
  );
  if (problems.length > 0) throw invalidPayload(problems);
}

export async function requireRoles(
  { identity }: Pick<MobileDeps, 'identity'>,
  workspaceId: string,
  roleIds: readonly string[] | null | undefined,
): Promise<void> {
  if (!roleIds || roleIds.length === 0) return;
  const { data } = await identity.ListRoles({ workspace_id: workspaceId });
  const known = new Set(data.map(({ id }) => id));
  const roles = { given: roleIds, known };
  requireKnown('allowed_role_ids', roles, 'there is no such role in the workspace');
}

export async function requireProjects(
  { projects }: Pick<MobileDeps, 'projects'>,
  workspaceId: string,
  projectIds: readonly string[] | null | undefined,
): Promise<void> {
  if (!projectIds || projectIds.length === 0) return;
  const known = new Set((await projects.findMany(workspaceId, projectIds)).map(({ id }) => id));
  const named = { given: projectIds, known };
  requireKnown('project_ids', named, 'there is no such project in the workspace');
}

/** What an action's config names must be of the workspace. */
export async function requireConfigReferences(
  { ledger, tiers }: Pick<MobileDeps, 'ledger' | 'tiers'>,
  workspaceId: string,
  config: JsonObject,
): Promise<void> {
  const { wallet_type_codes: codes = [] } = config as PointsConfig;
  const { excluded_tier_ids: tierIds = [] } = config as TierConfig;
  if (codes.length > 0) {
    const { wallet_types } = await ledger.ListWalletTypes({ workspace_id: workspaceId });
    const known = new Set(wallet_types.map(({ code }) => code));
    const field = 'action_config.wallet_type_codes';
    const types = { given: codes, known };
    requireKnown(field, types, 'there is no such wallet type in the workspace');
  }
  if (tierIds.length > 0) {
    const found = await tiers.GetTiers({ workspace_id: workspaceId, ids: tierIds });
    const known = new Set(found.tiers.map(({ id }) => id));
    const field = 'action_config.excluded_tier_ids';
    const excluded = { given: tierIds, known };
    requireKnown(field, excluded, 'there is no such tier in the workspace');
  }
}

/** What an action of a type could never do anything without (part 2, action_config by type). */
export async function requireMeans(
  { rewards, tiers }: Pick<MobileDeps, 'rewards' | 'tiers'>,
  workspaceId: string,
  type: AppActionType,
): Promise<void> {
  if (type === 'redeem_reward' || type === 'grant_reward') {
    const request = { workspace_id: workspaceId, active: true, limit: 1, offset: 0 };
    const { total_count: total } = await rewards.ListRewards(request);
    if (total === 0) throw refusals.noActiveReward({ field: 'action_type' });
  }
  if (type === 'change_tier') {
    const all = await tiers.ListTiers({ workspace_id: workspaceId });
    if (!all.tiers.some(({ kind }) => kind === 'exclusive'))
      throw refusals.noExclusiveTier({ field: 'action_type' });
  }
}

import { invalidPayload, isRefusedAs, type Problem, platform } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { NotificationConfig, RewardFields } from '../domain/reward';

type Request = Omit<api.UpdateRewardRequest, 'id'>;

/** The fields that a request names, as the domain holds them. */
export function fieldsOf(request: Request): Partial<RewardFields> {
  const { workspace_id: _workspace, ...named } = request;
  const { cost_in_points: cost, monetary_value: value, notification_config: config } = named;
  const fields: { [name: string]: unknown } = {
    ...named,
    ...(cost === undefined ? {} : { cost_in_points: toUnits(cost) }),
    ...(value === undefined || value === null ? {} : { monetary_value: toUnits(value) }),
    ...(config === undefined ? {} : { notification_config: config as NotificationConfig | null }),
    ...momentOf('availability_start', named.availability_start),
    ...momentOf('availability_end', named.availability_end),
  };
  delete fields.id;
  const given = Object.entries(fields).filter(([, member]) => member !== undefined);
  return Object.fromEntries(given) as Partial<RewardFields>;
}

function momentOf(name: string, text: string | null | undefined): { [name: string]: Date } {
  return typeof text === 'string' ? { [name]: new Date(text) } : {};
}

/** Refuses ids that name nothing in the workspace, each with its field. */
export async function requireKnownReferences(
  { ledger, tiers, segments }: Pick<Deps, 'ledger' | 'tiers' | 'segments'>,
  workspaceId: string,
  { wallet_type_id, visibility_tiers = [], visibility_segments = [] }: Partial<RewardFields>,
): Promise<void> {
  const [hasWalletType, unknownTiers, unknownSegments] = await Promise.all([
    wallet_type_id ? isWalletType(ledger, workspaceId, wallet_type_id) : true,
    visibility_tiers.length > 0 ? tiers.unknownAmong(workspaceId, visibility_tiers) : [],
    visibility_segments.length > 0 ? segments.unknownAmong(workspaceId, visibility_segments) : [],
  ]);
  const problems: Problem[] = [
    ...(hasWalletType
      ? []
      : [{ field: 'wallet_type_id', message: 'there is no such wallet type in the workspace' }]),
    ...problemsOf(unknownTiers, { field: 'visibility_tiers', ids: visibility_tiers, noun: 'tier' }),
    ...problemsOf(unknownSegments, {
      field: 'visibility_segments',
      ids: visibility_segments,
      noun: 'segment',
    }),
  ];
  if (problems.length > 0) throw invalidPayload(problems);
}

async function isWalletType(
  ledger: Deps['ledger'],
  workspaceId: string,
  id: string,
): Promise<boolean> {
  try {
    await ledger.GetWalletType({ workspace_id: workspaceId, id });
    return true;
  } catch (error) {
    if (isRefusedAs(error, platform.recordNotFound)) return false;
    throw error;
  }
}

/** A list of ids in a request, and what they are to be ids of. */
interface NamedIn {
  field: string;
  ids: readonly string[];
  noun: string;
}

function problemsOf(unknown: readonly string[], { field, ids, noun }: NamedIn): Problem[] {
  return unknown.map((id) => ({
    field: `${field}.${ids.indexOf(id)}`,
    message: `there is no such ${noun} in the workspace`,
  }));
}

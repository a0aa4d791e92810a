import { TIER_METRICS, type TierMetric } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import { invalidField } from '@laurel/errors';
import type { tiers as api } from '@laurel/rpc';
import { AMOUNT_MAX, isAmount } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { LOOKBACK_DAYS_MAX } from '../domain/activity';
import type {
  Benefit,
  Condition,
  NotificationConfig,
  Thresholds,
  TierKind,
  TierSet,
} from '../domain/programme';
import { refusals } from '../refusals';

/** Conditions as the domain knows them; refused on what is no metric, or a code where none may be. */
export function conditionsFrom(list: api.Conditions): Condition[] {
  return list.items.map(({ type, wallet_type_code: code }, index) => {
    if (!TIER_METRICS.includes(type as TierMetric)) {
      throw invalidField(
        `conditions.${index}.type`,
        `type must be one of ${TIER_METRICS.join(', ')}`,
      );
    }
    if (code === undefined) return { type: type as TierMetric };
    if (type !== 'total_earned') {
      const field = `conditions.${index}.wallet_type_code`;
      throw invalidField(field, 'wallet_type_code is allowed with total_earned only');
    }
    return { type, wallet_type_code: code };
  });
}

/** Refused where a condition names a wallet type that the workspace does not have. */
export async function requireWalletTypes(
  { ledger }: Pick<Deps, 'ledger'>,
  workspaceId: string,
  conditions: readonly Condition[],
): Promise<void> {
  if (conditions.every((condition) => condition.wallet_type_code === undefined)) return;
  const { wallet_types } = await ledger.ListWalletTypes({ workspace_id: workspaceId });
  const known = new Set(wallet_types.map(({ code }) => code));
  conditions.forEach(({ wallet_type_code: code }, index) => {
    if (code !== undefined && !known.has(code)) {
      throw refusals.unknownWalletType({ field: `conditions.${index}.wallet_type_code` });
    }
  });
}

export function downgradeFrom({ lookback_days }: api.DowngradeConfig): TierSet['downgrade_config'] {
  if (lookback_days === undefined) return {};
  if (lookback_days > LOOKBACK_DAYS_MAX) {
    const sentence = `lookback_days must be at most ${LOOKBACK_DAYS_MAX}`;
    throw invalidField('downgrade_config.lookback_days', sentence);
  }
  return { lookback_days };
}

export function kindFrom(kind: string): TierKind {
  if (kind !== 'auto' && kind !== 'exclusive')
    throw invalidField('kind', 'kind must be auto or exclusive');
  return kind;
}

export function thresholdsFrom(value: Json): Thresholds {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField('condition_values', 'condition_values must be an object');
  for (const [type, threshold] of Object.entries(value)) {
    const field = `condition_values.${type}`;
    if (!TIER_METRICS.includes(type as TierMetric))
      throw invalidField(field, `${type} is not a condition`);
    if (typeof threshold !== 'number' || !isAmount(threshold) || threshold < 0)
      throw invalidField(
        field,
        `a threshold must be 0 to ${AMOUNT_MAX}, with at most 4 decimal places`,
      );
  }
  return value as Thresholds;
}

export function benefitsFrom({ items }: api.Benefits): Benefit[] {
  return items.map(({ id, label, value }) => ({
    id,
    label,
    ...(value === undefined ? {} : { value: value as Benefit['value'] }),
  })) as Benefit[];
}

export function notificationFrom(value: Json): NotificationConfig | null {
  return value as NotificationConfig | null;
}

interface NamedTemplate {
  workspaceId: string;
  templateId: string | null | undefined;
  /** For one who only looks: a template whose passes are being moved away has most of them still. */
  withMigrating?: boolean;
}

/** Refuses a pass template that the workspace does not have, or that is being migrated away: nothing may come to name it. */
export async function requireKnownTemplate(
  { passTemplates }: Pick<Deps, 'passTemplates'>,
  { workspaceId, templateId, withMigrating = false }: NamedTemplate,
): Promise<void> {
  if (!templateId) return;
  const ids = [templateId];
  const request = { workspace_id: workspaceId, ids, with_migrating: withMigrating };
  if ((await passTemplates.GetTemplates(request)).templates.length === 0)
    throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
}

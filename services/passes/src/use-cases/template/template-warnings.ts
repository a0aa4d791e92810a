import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { KnownNames } from '../../domain/pass/placeholders';
import type { TemplateFields } from '../../domain/template/template';
import { templateWarnings } from '../../domain/template/template-texts';

const NOTHING: KnownNames = { fields: new Set(), walletCodes: new Set() };

/** What in a template will never show anything. No service is asked where nothing could be wrong. */
export async function warningsOf(
  deps: Pick<PassDeps, 'clients' | 'ledger' | 'tiers'>,
  workspaceId: string,
  fields: TemplateFields,
): Promise<api.TemplateWarning[]> {
  if (templateWarnings(fields, NOTHING).length === 0) return [];
  return templateWarnings(fields, await knownNames(deps, workspaceId));
}

/** Custom fields, pass fields that tiers fill, and wallet types of the workspace. */
async function knownNames(
  { clients, ledger, tiers }: Pick<PassDeps, 'clients' | 'ledger' | 'tiers'>,
  workspaceId: string,
): Promise<KnownNames> {
  const request = { workspace_id: workspaceId };
  const [model, walletTypes, tierList] = await Promise.all([
    clients.ListFields(request),
    ledger.ListWalletTypes(request),
    tiers.ListTiers(request),
  ]);
  const synced = tierList.tiers.map((tier) => tier.pass_sync_config?.field_name);
  const names = [...model.fields.map((field) => field.field_name), ...synced];
  return {
    fields: new Set(names.filter((name) => name !== undefined)),
    walletCodes: new Set(walletTypes.wallet_types.map((type) => type.code)),
  };
}

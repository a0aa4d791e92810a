import type { Session } from '@laurel/mongo';
import type { IntegrationDeps } from '../../deps';
import { findProvider } from '../../outside/providers';
import {
  type Account,
  type Capability,
  canDo,
  type Provider,
} from '../../outside/providers/provider';
import { refusals } from '../../refusals';
import { type IntegrationRow, integrationBinding } from '../../store/integrations';

/** A workspace has one integration with a provider at most. */
export interface IntegrationName {
  workspaceId: string;
  provider: string;
}

/** The provider, with a capability where one is needed; refused otherwise. */
export function requireProvider(slug: string, capability?: Capability): Provider {
  const provider = findProvider(slug);
  if (!provider) throw refusals.providerNotFound();
  if (capability && !canDo(provider, capability))
    throw refusals.cannotDo({ values: { provider: slug, capability } });
  return provider;
}

/** The workspace's integration with a provider, or the refusal that there is none. */
export async function requireIntegration(
  { integrations }: Pick<IntegrationDeps, 'integrations'>,
  { workspaceId, provider }: IntegrationName,
  session?: Session,
): Promise<IntegrationRow> {
  const row = await integrations.get(workspaceId, provider, session);
  if (!row) throw refusals.notConfigured();
  return row;
}

/** An integration with its secrets in the clear. */
export function accountOf({ vault }: Pick<IntegrationDeps, 'vault'>, row: IntegrationRow): Account {
  const { workspace_id: workspaceId, provider, config, secrets } = row;
  const opened = secrets.map(({ key, sealed }) => {
    const plain = vault.open(sealed, integrationBinding(workspaceId, provider, key));
    return [key, plain.toString('utf8')] as const;
  });
  return { config, secrets: Object.fromEntries(opened) };
}

import { secretBinding } from '../sender/endpoint';
import type { WebhookDeps } from './deps';
import type { IntegrationDeps } from './integration-deps';
import { secretBinding as integrationBinding } from './require-integration';

const BATCH = 100;

/** Encrypts with the current key what the previous one encrypted, so that the previous one may go. */
export async function resealSecrets({
  webhooks,
  vault,
}: Pick<WebhookDeps, 'webhooks' | 'vault'>): Promise<{ more: boolean }> {
  const rows = await webhooks.sealedWithOtherKey(vault.currentKeyId, BATCH);
  for (const row of rows) {
    const binding = secretBinding(row.workspace_id, row._id);
    const secrets = row.secrets.map(({ sealed, until }) => ({
      sealed: vault.seal(vault.open(sealed, binding), binding),
      until,
    }));
    await webhooks.replaceSecrets(row, secrets, row.date_updated);
  }
  return { more: rows.length === BATCH };
}

/** As `resealSecrets`, of integrations. */
export async function resealIntegrations({
  integrations,
  vault,
}: Pick<IntegrationDeps, 'integrations' | 'vault'>): Promise<{ more: boolean }> {
  const rows = await integrations.sealedWithOtherKey(vault.currentKeyId, BATCH);
  for (const row of rows) {
    const secrets = row.secrets.map((secret) => {
      const binding = integrationBinding(row.workspace_id, row.provider, secret.key);
      return { ...secret, sealed: vault.seal(vault.open(secret.sealed, binding), binding) };
    });
    await integrations.reseal(row, secrets);
  }
  return { more: rows.length === BATCH };
}

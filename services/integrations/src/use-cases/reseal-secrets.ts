import { type Resealed, resealAll } from '@laurel/vault';
import type { IntegrationDeps, WebhookDeps } from '../deps';
import { secretBinding } from './delivery/endpoint';
import { secretBinding as integrationBinding } from './integration/require-integration';

/** Encrypts with the current key what another one encrypted of webhooks, so that the other one may go. */
export function resealSecrets({
  webhooks,
  vault,
}: Pick<WebhookDeps, 'webhooks' | 'vault'>): Promise<Resealed> {
  return resealAll(vault, {
    sealedWithOtherKey: webhooks.sealedWithOtherKey,
    reseal(row) {
      const binding = secretBinding(row.workspace_id, row._id);
      const secrets = row.secrets.map(({ sealed, until }) => ({
        sealed: vault.seal(vault.open(sealed, binding), binding),
        until,
      }));
      return webhooks.replaceSecrets(row, secrets, row.date_updated);
    },
  });
}

/** As `resealSecrets`, of integrations. */
export function resealIntegrations({
  integrations,
  vault,
}: Pick<IntegrationDeps, 'integrations' | 'vault'>): Promise<Resealed> {
  return resealAll(vault, {
    sealedWithOtherKey: integrations.sealedWithOtherKey,
    reseal(row) {
      const secrets = row.secrets.map((secret) => {
        const binding = integrationBinding(row.workspace_id, row.provider, secret.key);
        return { ...secret, sealed: vault.seal(vault.open(secret.sealed, binding), binding) };
      });
      return integrations.reseal(row, secrets);
    },
  });
}

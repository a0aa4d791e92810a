import { secretBinding } from '../sender/endpoint';
import type { WebhookDeps } from './deps';

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

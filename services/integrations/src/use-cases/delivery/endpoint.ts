import type { KeyObject } from 'node:crypto';
import type { Vault } from '@laurel/secrets';
import { secretKey, signatureHeader } from '../../domain/signature';
import type { Outbound } from '../../outside/post';
import { type WebhookRow, webhookBinding } from '../../store/webhooks';

const USER_AGENT = 'Laurel-Webhooks/1.0';

/** The keys that sign at this moment, newest first. */
export function signingKeys(webhook: WebhookRow, vault: Vault, now: Date): KeyObject[] {
  const binding = webhookBinding(webhook.workspace_id, webhook._id);
  return webhook.secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ sealed }) => secretKey(vault.open(sealed, binding).toString('utf8')));
}

export interface MessageToSend {
  /** Stays the same over all attempts. */
  id: string;
  body: string;
}

/** One attempt as Standard Webhooks wants it. */
export function outboundFor(
  url: string,
  keys: readonly KeyObject[],
  { id, body }: MessageToSend,
): Outbound {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(keys, { id, timestamp, body }),
    },
  };
}

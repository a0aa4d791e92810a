import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';

/** The form in which a receiver keeps a secret (Standard Webhooks). */
export function secretText(key: Buffer): string {
  return `${PREFIX}${key.toString('base64')}`;
}

/** The key that a `whsec_...` secret stands for. */
export function secretKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(PREFIX.length), 'base64');
}

export interface SignedMessage {
  id: string;
  /** Whole seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The `webhook-signature` header: one `v1,<base64>` per key, separated by spaces, so that receivers
 * with the old or the new secret verify while a secret is being rotated. Keys are key objects: Node takes
 * six times as long with a key as bytes.
 */
export function signatureHeader(keys: readonly KeyObject[], message: SignedMessage): string {
  const signed = `${message.id}.${message.timestamp}.${message.body}`;
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`)
    .join(' ');
}

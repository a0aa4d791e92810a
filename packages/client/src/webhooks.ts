import type { LaurelEvent } from './generated/types';

/** A call is not from the platform, or is too old to be a new one. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** How far the sender's clock may be from ours; 300 unless said otherwise. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; now unless said otherwise. */
  now?: number;
}

/** Named by what makes it: runtimes have it under different names. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/** Headers of a runtime or of a library, known by what they do: another library's are none of this runtime's class. */
type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 300;

/**
 * Checks a webhook as Standard Webhooks says, in constant time.
 *
 * @param payload the body as it came, before any parsing
 * @param secrets one, or several while they are rotated
 * @returns the event that it brings
 * @throws WebhookError where it cannot be trusted
 */
export async function verifyWebhook<Event = LaurelEvent>(
  payload: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw new WebhookError('webhook-id, webhook-timestamp or webhook-signature is missing');
  // What is no number is not near either.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError('webhook-timestamp is too far from now');
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' '))
      if (await isSignature(key, signature, signed)) return JSON.parse(text) as Event;
  }
  throw new WebhookError('no signature fits');
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found.join(' ') : found;
}

function hasGet(headers: HeadersLike): headers is { get(name: string): string | null | undefined } {
  return typeof headers.get === 'function';
}

function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('the secret of a webhook starts with whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

async function isSignature(
  key: Key,
  signature: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [version, base64 = ''] = signature.split(',');
  const bytes = bytesOf(base64);
  return (
    version === 'v1' && bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

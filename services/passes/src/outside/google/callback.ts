import { createHash, createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { platform } from '@laurel/errors';

const PROTOCOL = 'ECv2SigningOnly';
/** How Google signs for passes, as its protocol names the sender. */
const SENDER = 'GooglePayPasses';
const KEYS_KEPT_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;
/** While Google's keys cannot be had, no caller makes this service ask again. */
const RETRY_MS = 30_000;
const OBJECT_ID = /^\d{1,30}\.[\w.-]{1,255}$/;

/** What Google posts when somebody saves or deletes a pass. */
export interface SignedCallback {
  signature: string;
  intermediateSigningKey: { signedKey: string; signatures: string[] };
  protocolVersion: string;
  signedMessage: string;
}

export interface GoogleCallback {
  objectId: string;
  eventType: 'save' | 'del';
  /** Until when it may be heeded, and what stands for it among those that were. */
  expiresAt: Date;
  digest: string;
}

/** What is signed, as Google writes it. */
interface SignedMessage {
  objectId: string;
  eventType: 'save' | 'del';
  expTimeMillis: number;
}

interface SigningKey {
  keyValue: string;
  keyExpiration: string;
}

export type GoogleCallbacks = ReturnType<typeof createGoogleCallbacks>;

/** Reads callbacks of Google: a message signed by a key that one of Google's published root keys signed. */
export function createGoogleCallbacks({ keysUrl }: { keysUrl: string }) {
  let kept: { keys: SigningKey[]; until: number } | undefined;
  let failedUntil = 0;
  let asking: Promise<SigningKey[]> | undefined;

  /** One question at a time for all callers, and after a failure none for a while. */
  async function rootKeys(now: number): Promise<SigningKey[]> {
    if (kept && kept.until > now) return kept.keys;
    if (failedUntil > now) throw unavailable(failedUntil - now);
    asking ??= askForKeys().finally(() => {
      asking = undefined;
    });
    try {
      kept = { keys: await asking, until: now + KEYS_KEPT_MS };
      return kept.keys;
    } catch {
      failedUntil = now + RETRY_MS;
      throw unavailable(RETRY_MS);
    }
  }

  async function askForKeys(): Promise<SigningKey[]> {
    const answer = await fetch(keysUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`the keys were answered with ${answer.status}`);
    const { keys } = (await answer.json()) as {
      keys: (SigningKey & { protocolVersion: string })[];
    };
    return keys.filter(({ protocolVersion }) => protocolVersion === PROTOCOL);
  }

  return {
    /**
     * Throws INVALID_TOKEN where the signature is not Google's, not meant for the issuer, or too old. What anybody can
     * see to be wrong is refused before a key is asked for or a signature checked.
     */
    async read(callback: SignedCallback, now: Date): Promise<GoogleCallback> {
      const { signedMessage, intermediateSigningKey, signature, protocolVersion } = callback;
      if (callback.protocolVersion !== PROTOCOL) throw platform.invalidToken();
      const message = parsed<SignedMessage>(signedMessage);
      const intermediate = parsed<SigningKey>(intermediateSigningKey.signedKey);
      if (!message || !isSound(message, now) || !intermediate || !isCurrent(intermediate, now))
        throw platform.invalidToken();
      const { objectId, eventType } = message;
      const [issuerId = ''] = objectId.split('.');
      const roots = await rootKeys(now.getTime());
      const ofKey = signedText(SENDER, protocolVersion, intermediateSigningKey.signedKey);
      const ofMessage = signedText(SENDER, issuerId, protocolVersion, signedMessage);
      const isGenuine =
        roots.some(
          (root) =>
            isCurrent(root, now) &&
            intermediateSigningKey.signatures.some((each) => isSigned(ofKey, each, root)),
        ) && isSigned(ofMessage, signature, intermediate);
      if (!isGenuine) throw platform.invalidToken();
      const digest = createHash('sha256').update(signedMessage).digest('hex');
      return { objectId, eventType, expiresAt: new Date(Number(message.expTimeMillis)), digest };
    },
  };
}

/** Each part with its length in front, four bytes little endian. */
function signedText(...parts: string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

function unavailable(ms: number) {
  const retryAfterSeconds = Math.ceil(ms / 1_000);
  return platform.serviceUnavailable({
    message: 'the keys of Google cannot be had at the moment',
    retryAfterSeconds,
  });
}

function isSound({ objectId, eventType, expTimeMillis }: SignedMessage, now: Date): boolean {
  const expiry = new Date(Number(expTimeMillis)).getTime();
  return (
    typeof objectId === 'string' &&
    OBJECT_ID.test(objectId) &&
    (eventType === 'save' || eventType === 'del') &&
    expiry > now.getTime()
  );
}

function isCurrent({ keyExpiration }: SigningKey, now: Date): boolean {
  return Number(keyExpiration) > now.getTime();
}

function isSigned(text: Buffer, signature: string, { keyValue }: SigningKey): boolean {
  const key = publicKey(keyValue);
  return key !== null && createVerify('sha256').update(text).verify(key, signature, 'base64');
}

function publicKey(base64: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

function parsed<T extends object>(json: string): T | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { platform } from '@laurel/errors';

const PROTOCOL = 'ECv2SigningOnly';
/** How Google signs for passes, as its protocol names the sender. */
const SENDER = 'GooglePayPasses';
const KEYS_KEPT_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;

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
}

interface SigningKey {
  keyValue: string;
  keyExpiration: string;
}

export type GoogleCallbacks = ReturnType<typeof createGoogleCallbacks>;

/** Reads callbacks of Google: a message signed by a key that one of Google's published root keys signed. */
export function createGoogleCallbacks({ keysUrl }: { keysUrl: string }) {
  let kept: { keys: SigningKey[]; until: number } | undefined;

  async function rootKeys(now: number): Promise<SigningKey[]> {
    if (kept && kept.until > now) return kept.keys;
    const answer = await fetch(keysUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw platform.serviceUnavailable();
    const { keys } = (await answer.json()) as {
      keys: (SigningKey & { protocolVersion: string })[];
    };
    kept = {
      keys: keys.filter(({ protocolVersion }) => protocolVersion === PROTOCOL),
      until: now + KEYS_KEPT_MS,
    };
    return kept.keys;
  }

  return {
    /** Throws INVALID_TOKEN where the signature is not Google's, or not meant for the issuer. */
    async read(callback: SignedCallback, now: Date): Promise<GoogleCallback> {
      const { signedMessage, intermediateSigningKey, signature, protocolVersion } = callback;
      if (callback.protocolVersion !== PROTOCOL) throw platform.invalidToken();
      const message = parsed<GoogleCallback & { expTimeMillis?: number }>(signedMessage);
      const intermediate = parsed<SigningKey>(intermediateSigningKey.signedKey);
      const [issuerId = ''] = String(message?.objectId ?? '').split('.');
      const roots = await rootKeys(now.getTime());
      const ofKey = signedText(SENDER, protocolVersion, intermediateSigningKey.signedKey);
      const ofMessage = signedText(SENDER, issuerId, protocolVersion, signedMessage);
      const isGenuine =
        message !== null &&
        intermediate !== null &&
        isCurrent(intermediate, now) &&
        roots.some(
          (root) =>
            isCurrent(root, now) &&
            intermediateSigningKey.signatures.some((each) => isSigned(ofKey, each, root)),
        ) &&
        isSigned(ofMessage, signature, intermediate);
      if (!isGenuine) throw platform.invalidToken();
      return { objectId: message.objectId, eventType: message.eventType };
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

function parsed<T>(json: string): T | null {
  try {
    return JSON.parse(json) as T;
  } catch {
    return null;
  }
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { DamagedSecret, UnknownKey } from './unreadable';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret as it is stored. */
export interface Sealed {
  /** Names the key it was encrypted with. */
  key_id: string;
  /** Nonce, ciphertext and tag, base64. */
  text: string;
}

export interface Vault {
  readonly currentKeyId: string;
  /** Whether a second key is given, whose values can be read too. */
  readonly readsOtherKey: boolean;
  /** Encrypts for one place: what `boundTo` names must be given again to read it. */
  seal(plain: Buffer, boundTo: string): Sealed;
  /** Throws when the key is not known any more, or the text was changed or moved. */
  open(sealed: Sealed, boundTo: string): Buffer;
}

/** Encrypts secrets at rest with AES-256-GCM. Keys are 32 bytes in base64; the first one encrypts. */
export function createVault(current: string, previous?: string): Vault {
  const keys = [current, ...(previous === undefined ? [] : [previous])].map((text) => {
    const key = Buffer.from(text, 'base64');
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 12), key };
  });
  const [newest] = keys as [{ id: string; key: Buffer }];

  return {
    currentKeyId: newest.id,
    readsOtherKey: keys.length > 1,
    seal(plain, boundTo) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.key, nonce).setAAD(Buffer.from(boundTo));
      const parts = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      return { key_id: newest.id, text: Buffer.concat(parts).toString('base64') };
    },
    open(sealed, boundTo) {
      const known = keys.find(({ id }) => id === sealed.key_id);
      if (!known) throw new UnknownKey(sealed.key_id);
      try {
        return decrypted(Buffer.from(sealed.text, 'base64'), known.key, boundTo);
      } catch (error) {
        throw new DamagedSecret(error);
      }
    },
  };
}

function decrypted(bytes: Buffer, key: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const secret = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
  return Buffer.concat([decipher.update(secret), decipher.final()]);
}

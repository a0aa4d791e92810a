import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { CheckpointStore } from './checkpoints';

/** Signs checkpoints with Ed25519. */
export interface Signer {
  keyId: string;
  /** SubjectPublicKeyInfo, PEM. */
  publicKey: string;
  sign(text: string): string;
}

/** The configured key, or one made once and kept in the database. Throws when the key is not Ed25519. */
export async function createSigner(
  configured: string | undefined,
  checkpoints: CheckpointStore,
): Promise<Signer> {
  const encoded = configured ?? (await checkpoints.keepKey(makeKey()));
  const privateKey = createPrivateKey(Buffer.from(encoded, 'base64').toString('utf8'));
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('CHECKPOINT_SIGNING_KEY is not an Ed25519 key');
  const publicKey = createPublicKey(privateKey as KeyObject);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    keyId: createHash('sha256').update(spki).digest('hex').slice(0, 16),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return Buffer.from(pem).toString('base64');
}

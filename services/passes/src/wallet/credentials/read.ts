import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { AppleCredentials, GoogleCredentials } from './types';

export interface CredentialProblem {
  field: 'certificate' | 'key' | 'issuer';
  message: string;
}

/** What keeps a certificate and its key from signing passes; empty when nothing does. */
export function certificateProblems(
  { certificate, key, passphrase, issuer }: AppleCredentials,
  now: Date,
): CredentialProblem[] {
  const read = readable(() => new X509Certificate(certificate));
  const signer = readable(() => createPrivateKey({ key, passphrase }));
  const issuing = readable(() => new X509Certificate(issuer));
  const problems: (CredentialProblem | false)[] = [
    !read && { field: 'certificate', message: 'not a certificate in PEM' },
    !signer && { field: 'key', message: 'not a private key in PEM, or the passphrase is wrong' },
    !issuing && { field: 'issuer', message: 'not a certificate in PEM' },
    !!signer && signer.asymmetricKeyType !== 'rsa' && { field: 'key', message: 'not an RSA key' },
    !!read && new Date(read.validTo) <= now && { field: 'certificate', message: 'expired' },
    !!read &&
      !!signer &&
      !read.publicKey.equals(createPublicKey(signer)) && {
        field: 'key',
        message: 'does not belong to the certificate',
      },
  ];
  return problems.filter((problem) => problem !== false);
}

/** The parts of a service account's key file that are needed, or null when it is none. */
export function readServiceAccount(json: string): Pick<GoogleCredentials, 'email' | 'key'> | null {
  const file = readable(() => JSON.parse(json) as Record<string, unknown>);
  const { client_email: email, private_key: key } = file ?? {};
  if (typeof email !== 'string' || typeof key !== 'string') return null;
  return readable(() => createPrivateKey(key)) ? { email, key } : null;
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The pass type that Apple issued a certificate for (its UID); null where it names none. */
export function passTypeOfCertificate(certificate: string): string | null {
  const read = readable(() => new X509Certificate(certificate));
  return (
    /^(?:UID|userId|0\.9\.2342\.19200300\.100\.1\.1)=(.+)$/m.exec(read?.subject ?? '')?.[1] ?? null
  );
}

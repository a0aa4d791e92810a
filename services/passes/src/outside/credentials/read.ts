import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { AppleCredentials, GoogleCredentials } from './types';

export interface CredentialProblem {
  field: 'certificate' | 'key' | 'issuer';
  message: string;
}

/** What keeps a certificate and its key from being taken: from signing passes at all, or from today on. */
export function certificateProblems(credentials: AppleCredentials, now: Date): CredentialProblem[] {
  const read = readable(() => new X509Certificate(credentials.certificate));
  const hasEnded = !!read && new Date(read.validTo) <= now;
  return [
    ...signingProblems(credentials),
    ...(hasEnded ? [{ field: 'certificate' as const, message: 'expired' }] : []),
  ];
}

/** What keeps a certificate and its key from signing passes, on whatever day; empty when nothing does. */
export function signingProblems({
  certificate,
  key,
  passphrase,
  issuer,
}: AppleCredentials): CredentialProblem[] {
  const read = readable(() => new X509Certificate(certificate));
  const signer = readable(() => createPrivateKey({ key, passphrase }));
  const issuing = readable(() => new X509Certificate(issuer));
  const problems: (CredentialProblem | false)[] = [
    !read && { field: 'certificate', message: 'not a certificate in PEM' },
    !signer && { field: 'key', message: 'not a private key in PEM, or the passphrase is wrong' },
    !issuing && { field: 'issuer', message: 'not a certificate in PEM' },
    !!signer && signer.asymmetricKeyType !== 'rsa' && { field: 'key', message: 'not an RSA key' },
    !!read &&
      !!signer &&
      !read.publicKey.equals(createPublicKey(signer)) && {
        field: 'key',
        message: 'does not belong to the certificate',
      },
  ];
  return problems.filter((problem) => problem !== false);
}

/**
 * What keeps phones from trusting what a usable certificate signs (part 4, section 4): it must be issued by the WWDR
 * certificate, for the pass type and team that were given, and both must be within their dates.
 */
export function chainProblems(
  { certificate, issuer, passTypeIdentifier, teamIdentifier }: AppleCredentials,
  now: Date,
): CredentialProblem[] {
  const leaf = readable(() => new X509Certificate(certificate));
  const issuing = readable(() => new X509Certificate(issuer));
  if (!leaf || !issuing) return [];
  const passType = passTypeOfCertificate(certificate);
  const teams = subjectOf(leaf, TEAM);
  // One that signed itself has no issuer.
  const isOther = leaf.fingerprint256 !== issuing.fingerprint256;
  const isIssuer =
    isOther && issuing.ca && leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey);
  const problems: (CredentialProblem | false)[] = [
    !isIssuer && { field: 'issuer', message: 'did not issue the certificate' },
    !isCurrent(leaf, now) && { field: 'certificate', message: 'not within its dates' },
    !isCurrent(issuing, now) && { field: 'issuer', message: 'not within its dates' },
    passType !== passTypeIdentifier && {
      field: 'certificate',
      message: `for ${passType ? `the pass type ${passType}` : 'no pass type'}, not ${passTypeIdentifier}`,
    },
    !teams.includes(teamIdentifier) && {
      field: 'certificate',
      message: `of ${teams.length > 0 ? `the team ${teams.join(', ')}` : 'no team'}, not ${teamIdentifier}`,
    },
  ];
  return problems.filter((problem) => problem !== false);
}

/** Until when a certificate and the one that issued it hold; null where one is none. */
export function validUntilOf({ certificate, issuer }: AppleCredentials): Date | null {
  const ends = [certificate, issuer].map((text) => readable(() => new X509Certificate(text)));
  if (ends.some((read) => !read)) return null;
  return new Date(Math.min(...ends.map((read) => Date.parse(read!.validTo))));
}

function isCurrent({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now < new Date(validTo);
}

const PASS_TYPE = /^(?:UID|userId|0\.9\.2342\.19200300\.100\.1\.1)=(.+)$/gm;
const TEAM = /^OU=(.+)$/gm;

function subjectOf({ subject }: X509Certificate, name: RegExp): string[] {
  return [...(subject ?? '').matchAll(name)].map(([, value]) => value!);
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
  return read ? (subjectOf(read, PASS_TYPE)[0] ?? null) : null;
}

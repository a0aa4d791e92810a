import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { AppleCredentials, GoogleCredentials } from './types';

const KEY_BITS = 2_048;
const YEARS_VALID = 20;
const SERIAL_BYTES = 16;
/** Where Apple's certificates name their pass type. */
const USER_ID = '0.9.2342.19200300.100.1.1';
export const LOCAL_TEAM_IDENTIFIER = 'LOCALTEAM0';
/** Google's issuers are numbers; no real one is 0. */
export const LOCAL_ISSUER_ID = '0';
const LOCAL_EMAIL = 'laurel@local.invalid';

/**
 * Makes what a deployment without Apple's certificates signs with: an issuer and a certificate from it, shaped as
 * Apple's are, for a pass type and team where they are named, so that everything but the phone's trust works (part 3, section 10).
 */
export async function makeLocalApple(
  now: Date,
  named: { passType?: string; team?: string } = {},
): Promise<AppleCredentials> {
  const { team = LOCAL_TEAM_IDENTIFIER } = named;
  const issuerKeys = await newKeys();
  const keys = await newKeys();
  const issuerName = [{ name: 'commonName', value: 'Laurel local issuer (not trusted by phones)' }];
  const subject = [
    { name: 'commonName', value: 'Laurel local pass certificate (not trusted by phones)' },
    { name: 'organizationalUnitName', value: team },
    { name: 'organizationName', value: 'Laurel' },
    ...(named.passType === undefined ? [] : [{ type: USER_ID, value: named.passType }]),
  ];
  const issuer = certificateOf(issuerKeys.public, now);
  issuer.setSubject(issuerName);
  issuer.setIssuer(issuerName);
  issuer.setExtensions([{ name: 'basicConstraints', cA: true }]);
  const certificate = certificateOf(keys.public, now);
  certificate.setSubject(subject);
  certificate.setIssuer(issuerName);
  const signingKey = forge.pki.privateKeyFromPem(issuerKeys.private);
  for (const one of [issuer, certificate]) one.sign(signingKey, forge.md.sha256.create());
  return {
    passTypeIdentifier: named.passType ?? null,
    teamIdentifier: team,
    certificate: forge.pki.certificateToPem(certificate),
    key: keys.private,
    issuer: forge.pki.certificateToPem(issuer),
  };
}

/** The same for Google: an issuer that Google does not know. */
export async function makeLocalGoogle(): Promise<GoogleCredentials> {
  const { private: key } = await newKeys();
  return { issuerId: LOCAL_ISSUER_ID, email: LOCAL_EMAIL, key };
}

const generate = promisify(generateKeyPair);

async function newKeys(): Promise<{ public: string; private: string }> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: KEY_BITS });
  return {
    public: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    private: privateKey.export({ type: 'pkcs1', format: 'pem' }) as string,
  };
}

function certificateOf(publicKey: string, now: Date): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  const serial = forge.util.bytesToHex(forge.random.getBytesSync(SERIAL_BYTES));
  // A first byte of one keeps the number positive, and in the shortest form, which is the only one that is read.
  certificate.serialNumber = `01${serial}`;
  certificate.validity.notBefore = now;
  certificate.validity.notAfter = new Date(now);
  certificate.validity.notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS_VALID);
  return certificate;
}

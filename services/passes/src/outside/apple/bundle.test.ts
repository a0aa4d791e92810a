import {
  createHash,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
  sign,
  X509Certificate,
} from 'node:crypto';
import { unzipSync } from 'fflate';
import forge from 'node-forge';
import sharp from 'sharp';
import { makeLocalApple } from '../credentials/make-local';
import { certificateProblems, chainProblems } from '../credentials/read';
import type { AppleCredentials } from '../credentials/types';
import { packFiles, signBundle } from './bundle';
import { ICON, LOGO, pictureFiles } from './images';

const NOW = new Date('2026-11-21T12:00:00Z');
let credentials: AppleCredentials;
beforeAll(async () => {
  credentials = await makeLocalApple(NOW);
});

const passJson = {
  formatVersion: 1,
  passTypeIdentifier: 'pass.local.laurel',
  teamIdentifier: 'LOCALTEAM0',
  serialNumber: 'serial',
  organizationName: 'Bean & Leaf',
  description: 'Card',
  storeCard: {
    headerFields: [],
    primaryFields: [{ key: 'a', label: '', value: '' }],
    secondaryFields: [],
    auxiliaryFields: [],
    backFields: [],
  },
};
const image = () =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

async function bundle() {
  const files = { 'pass.json': Buffer.from(JSON.stringify(passJson)) };
  const icon = await pictureFiles(await image(), ICON);
  return unzipSync(await signBundle(packFiles({ ...files, ...icon }), credentials, NOW));
}

test('a bundle lists the digest of every file but the manifest and the signature', async () => {
  const files = await bundle();
  const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString());
  const digests = Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'manifest.json' && name !== 'signature')
      .map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]),
  );
  expect(manifest).toEqual(digests);
  expect(Object.keys(digests).sort()).toEqual([
    'icon.png',
    'icon@2x.png',
    'icon@3x.png',
    'pass.json',
  ]);
});

test('pass.json arrives as it was drawn', async () => {
  const files = await bundle();
  expect(JSON.parse(Buffer.from(files['pass.json']!).toString())).toEqual(passJson);
});

test('the signature is a detached PKCS#7 one of the manifest, by the certificate', async () => {
  const files = await bundle();
  const { digest, isSigned, signers } = readSignature(files.signature!);
  const manifest = Buffer.from(files['manifest.json']!);
  expect(digest).toBe(createHash('sha1').update(manifest).digest('hex'));
  expect(isSigned(credentials.certificate)).toBe(true);
  expect(isSigned(credentials.issuer)).toBe(false);
  expect(signers).toContain('Laurel local pass certificate (not trusted by phones)');
});

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/** The certificate as a key on a curve signs it, with that key in place of its own where `publicKey` is given. */
function signedOnCurve(pem: string, { privateKey, publicKey }: Partial<KeyPairKeyObjectResult>) {
  const { asn1 } = forge;
  const { Class, Type } = asn1;
  const toBytes = (node: forge.asn1.Asn1) => Buffer.from(asn1.toDer(node).getBytes(), 'binary');
  const certificate = asn1.fromDer(forge.pem.decode(pem)[0]!.body);
  const [signed] = certificate.value as forge.asn1.Asn1[];
  const oid = asn1.oidToDer(ECDSA_WITH_SHA256).getBytes();
  const algorithm = asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [
    asn1.create(Class.UNIVERSAL, Type.OID, false, oid),
  ]);
  const members = signed!.value as forge.asn1.Asn1[];
  members[2] = algorithm;
  const spki = publicKey?.export({ type: 'spki', format: 'der' });
  if (spki) members[6] = asn1.fromDer(spki.toString('binary'));
  const bits = `\0${sign('sha256', toBytes(signed!), privateKey!).toString('binary')}`;
  const signature = asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, bits);
  certificate.value = [signed!, algorithm, signature];
  return new X509Certificate(toBytes(certificate)).toString();
}

test('a certificate that an issuer with a key on a curve issued signs as any other, and both stand in the signature', async () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { privateKey } = keys;
  const other = {
    ...credentials,
    issuer: signedOnCurve(credentials.issuer, keys),
    certificate: signedOnCurve(credentials.certificate, { privateKey }),
  };
  expect(certificateProblems(other, NOW)).toEqual([]);
  const byIssuer = ({ field }: { field: string }) => field === 'issuer';
  expect(chainProblems(other, NOW).filter(byIssuer)).toEqual([]);
  expect(chainProblems({ ...other, issuer: credentials.issuer }, NOW).some(byIssuer)).toBe(true);
  const files = packFiles({ 'pass.json': Buffer.from(JSON.stringify(passJson)) });
  const [own, usual] = await Promise.all(
    [other, credentials].map(async (each) =>
      Buffer.from(unzipSync(await signBundle(files, each, NOW)).signature!),
    ),
  );
  for (const pem of [other.certificate, other.issuer])
    expect(own!.includes(new X509Certificate(pem).raw)).toBe(true);
  // RSA signs the same in the same way, with 2048 bits at the end.
  expect(own!.subarray(-256)).toEqual(usual!.subarray(-256));
});

test('a certificate made here is issued by the issuer that comes with it', () => {
  const issuer = forge.pki.certificateFromPem(credentials.issuer);
  expect(issuer.verify(forge.pki.certificateFromPem(credentials.certificate))).toBe(true);
  expect(certificateProblems(credentials, NOW)).toEqual([]);
  const later = new Date('2060-01-01T00:00:00Z');
  expect(certificateProblems(credentials, later)).toEqual([
    { field: 'certificate', message: 'expired' },
  ]);
});

test('a key that does not belong to the certificate is found out', async () => {
  const other = await makeLocalApple(NOW);
  expect(certificateProblems({ ...credentials, key: other.key }, NOW)).toEqual([
    { field: 'key', message: 'does not belong to the certificate' },
  ]);
  expect(certificateProblems({ ...credentials, certificate: 'x', key: 'y' }, NOW)).toEqual([
    { field: 'certificate', message: 'not a certificate in PEM' },
    { field: 'key', message: 'not a private key in PEM, or the passphrase is wrong' },
  ]);
});

test('pictures come in the pixels of each screen', async () => {
  const icon = await pictureFiles(await image(), ICON);
  const logo = await pictureFiles(await image(), LOGO);
  const sizes = await Promise.all(
    Object.entries({ ...icon, ...logo }).map(async ([name, bytes]) => {
      const { width, height } = await sharp(bytes).metadata();
      return [name, `${width}x${height}`];
    }),
  );
  expect(Object.fromEntries(sizes)).toEqual({
    'icon.png': '29x29',
    'icon@2x.png': '58x58',
    'icon@3x.png': '87x87',
    'logo.png': '100x50',
    'logo@2x.png': '200x100',
    'logo@3x.png': '300x150',
  });
});

/** What a PKCS#7 signature says, read as Apple would: the digest it vouches for, and by whose key. */
function readSignature(bytes: Uint8Array) {
  const der = forge.util.createBuffer(Buffer.from(bytes).toString('binary'));
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(der)) as unknown as {
    rawCapture: { signature: string; authenticatedAttributes: forge.asn1.Asn1[] };
    certificates: forge.pki.Certificate[];
  };
  const { signature, authenticatedAttributes } = message.rawCapture;
  const { Class, Type, create, toDer, derToOid } = forge.asn1;
  const attributes = create(Class.UNIVERSAL, Type.SET, true, authenticatedAttributes);
  const attribute = (oid: string) => {
    const found = authenticatedAttributes.find(({ value }) => {
      const [name] = value as forge.asn1.Asn1[];
      return derToOid(name!.value as string) === oid;
    });
    const [, values] = found!.value as forge.asn1.Asn1[];
    return (values!.value as forge.asn1.Asn1[])[0]!.value as string;
  };
  const digest = Buffer.from(attribute(forge.pki.oids.messageDigest!), 'binary').toString('hex');
  const signed = forge.md.sha1.create().update(toDer(attributes).getBytes()).digest().getBytes();
  return {
    digest,
    signers: message.certificates.map(({ subject }) => subject.getField('CN').value),
    isSigned(certificate: string): boolean {
      const key = forge.pki.certificateFromPem(certificate).publicKey as forge.pki.rsa.PublicKey;
      try {
        return key.verify(signed, signature);
      } catch {
        return false;
      }
    },
  };
}

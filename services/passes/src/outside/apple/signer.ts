import { createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import forge from 'node-forge';
import type { AppleCredentials } from '../credentials/types';

const SIGNERS_MAX = 500;
const signWith = promisify(sign);

/** A detached PKCS#7 signature that lacks what differs from one message to the next, and where that goes. */
interface Form {
  message: Buffer;
  /** What is signed: the attributes that name the digest of the content and the time. */
  attributes: { from: number; to: number };
  digestAt: number;
  timeAt: number;
  signatureAt: number;
}

interface Signer extends Form {
  key: KeyObject;
}

/** Certificates and keys are read once: that costs as much as many signatures. */
const signers = new LRUCache<string, Signer>({ max: SIGNERS_MAX });

/**
 * The detached PKCS#7 signature that Wallet wants of a manifest: SHA-1 with RSA, with the signing time, and both
 * certificates in it (RFC 5652, section 5). The form comes from node-forge, once for each certificate; the RSA operation
 * is OpenSSL's, on a thread of its own.
 */
export async function signatureOf(
  content: Buffer,
  credentials: AppleCredentials,
  now: Date,
): Promise<Buffer> {
  const signer = signerOf(credentials);
  const { key, attributes, digestAt, timeAt, signatureAt } = signer;
  const message = Buffer.from(signer.message);
  createHash('sha1').update(content).digest().copy(message, digestAt);
  message.write(utcTime(now), timeAt, 'latin1');
  const signed = Buffer.from(message.subarray(attributes.from, attributes.to));
  signed[0] = SET;
  (await signWith('sha1', signed, key)).copy(message, signatureAt);
  return message;
}

/** Attributes are signed as a set, and stand in the message under another tag. */
const SET = 0x31;

function signerOf(credentials: AppleCredentials): Signer {
  const { certificate, issuer, key, passphrase } = credentials;
  const name = createHash('sha256')
    .update(JSON.stringify([certificate, issuer, key, passphrase]))
    .digest('base64');
  const known = signers.get(name);
  if (known) return known;
  const made = {
    ...formOf(credentials, new Date()),
    key: createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) }),
  };
  signers.set(name, made);
  return made;
}

function formOf({ certificate, issuer }: AppleCredentials, now: Date): Form {
  const { contentType, data, messageDigest, signingTime, sha1 } = forge.pki.oids as Record<
    string,
    string
  >;
  const signing = forge.pki.certificateFromPem(certificate);
  const { n } = signing.publicKey as forge.pki.rsa.PublicKey;
  const place = '\x5a'.repeat(Math.ceil(n.bitLength() / 8));
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer('');
  message.addSigner({
    key: { sign: () => place } as unknown as forge.pki.rsa.PrivateKey,
    certificate: signing,
    digestAlgorithm: sha1!,
    authenticatedAttributes: [
      { type: contentType!, value: data! },
      { type: messageDigest! },
      { type: signingTime!, value: now as unknown as string },
    ],
  });
  message.sign({ detached: true });
  const form = message.toAsn1();
  const attributes = attributesOf(bytesOf(form));
  addCertificates(form, [issuer, certificate]);
  const bytes = bytesOf(form);
  const from = bytes.lastIndexOf(attributes);
  const after = (text: string | Buffer) => bytes.indexOf(text, from, 'latin1');
  return {
    message: bytes,
    attributes: { from, to: from + attributes.length },
    digestAt: after(createHash('sha1').update('').digest()),
    timeAt: after(utcTime(now)),
    signatureAt: after(place),
  };
}

const bytesOf = (tree: forge.asn1.Asn1): Buffer =>
  Buffer.from(forge.asn1.toDer(tree).getBytes(), 'latin1');

/** Puts certificates where they stand in a message, in front of who signed it: as they are, since node-forge reads none with other keys than RSA. */
function addCertificates(message: forge.asn1.Asn1, certificates: readonly string[]): void {
  const { Class, create, fromDer } = forge.asn1;
  const trees = certificates.map((pem) => fromDer(new X509Certificate(pem).raw.toString('latin1')));
  const [, content] = message.value as forge.asn1.Asn1[];
  const [signedData] = content!.value as forge.asn1.Asn1[];
  const parts = signedData!.value as forge.asn1.Asn1[];
  parts.splice(-1, 0, create(Class.CONTEXT_SPECIFIC, 0, true, trees));
}

/** The attributes as they stand in a message. */
function attributesOf(message: Buffer): Buffer {
  const der = forge.asn1.fromDer(message.toString('latin1'));
  const { rawCapture } = forge.pkcs7.messageFromAsn1(der) as unknown as {
    rawCapture: { authenticatedAttributes: forge.asn1.Asn1[] };
  };
  const { Class, create } = forge.asn1;
  return bytesOf(create(Class.CONTEXT_SPECIFIC, 0, true, rawCapture.authenticatedAttributes));
}

/** Years have two digits until 2049 (RFC 5652, section 11.3). */
function utcTime(time: Date): string {
  return `${time.toISOString().slice(2, 19).replace(/\D/g, '')}Z`;
}

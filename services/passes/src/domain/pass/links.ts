import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pass } from './pass';

/** 128 bits: one cannot be guessed, and it keeps a QR code small. */
const SIGNATURE_BYTES = 16;

/** The four links of a pass (part 2, Pass). */
export interface PassUrls {
  apple_pass_url: string;
  apple_qrcode_url: string;
  google_pass_url: string;
  google_qrcode_url: string;
}

/** What a link is made of. */
export type LinkedPass = Pick<Pass, 'id' | 'link_generation'>;

export type PassLinks = ReturnType<typeof createPassLinks>;

/**
 * The links under which the holder of a pass gets it into a wallet:
 *
 *     <PUBLIC_URL>/p/<pass id>/<signature>/apple          the signed .pkpass
 *     <PUBLIC_URL>/p/<pass id>/<signature>/apple.png      a QR code of that link
 *     <PUBLIC_URL>/p/<pass id>/<signature>/google         leads on to the Google save link
 *     <PUBLIC_URL>/p/<pass id>/<signature>/google.png     a QR code of that link
 *
 * The signature is the only credential: base64url of the first 16 bytes of HMAC-SHA256 over the pass id, and the
 * generation of its links where they were made anew, under a key that signs nothing else. The first key signs, all are
 * accepted: a link lives as long as the pass, or until its client has proven an address that somebody else used. A wrong signature is answered like an unknown pass, with 404 (part 3, section 1.1).
 */
export function createPassLinks({
  keys,
  publicUrl,
}: {
  keys: readonly Buffer[];
  publicUrl: string;
}) {
  const root = publicUrl.replace(/\/+$/, '');

  function signatureOf({ id, link_generation }: LinkedPass, key: Buffer): string {
    const named = link_generation === 0 ? id : `${id}:${link_generation}`;
    const digest = createHmac('sha256', key).update(named).digest();
    return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
  }

  return {
    urlsOf(pass: LinkedPass): PassUrls {
      const link = `${root}/p/${pass.id}/${signatureOf(pass, keys[0]!)}`;
      return {
        apple_pass_url: `${link}/apple`,
        apple_qrcode_url: `${link}/apple.png`,
        google_pass_url: `${link}/google`,
        google_qrcode_url: `${link}/google.png`,
      };
    },

    /** Whether `signature` is the one of this pass, as it is written; compares in constant time. */
    isSignatureOf(pass: LinkedPass, signature: string): boolean {
      const given = Buffer.from(signature);
      return keys.some((key) => {
        const own = Buffer.from(signatureOf(pass, key));
        return own.length === given.length && timingSafeEqual(own, given);
      });
    },
  };
}

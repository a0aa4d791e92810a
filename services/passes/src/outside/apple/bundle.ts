import { PKPass } from 'passkit-generator';
import type { AppleCredentials } from '../credentials/types';

/** Files of a pass by name: pass.json and its pictures. */
export type PassFiles = Record<string, Buffer>;

/** Packs and signs a .pkpass: the files, their digests (manifest.json) and a detached PKCS#7 signature of those. */
export function signBundle(files: PassFiles, credentials: AppleCredentials): Buffer {
  const { certificate, key, passphrase, issuer } = credentials;
  const pass = new PKPass(files, {
    wwdr: issuer,
    signerCert: certificate,
    signerKey: key,
    ...(passphrase === undefined ? {} : { signerKeyPassphrase: passphrase }),
  });
  return pass.getAsBuffer();
}

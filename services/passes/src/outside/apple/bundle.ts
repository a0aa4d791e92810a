import { createHash } from 'node:crypto';
import type { AppleCredentials } from '../credentials/types';
import { signatureOf } from './signer';
import { type ZipEntry, zipEntry, zipOf } from './zip';

/** Files of a pass by name: pass.json and its pictures. */
export type PassFiles = Record<string, Buffer>;

/** A file as it goes into a bundle, with its digest in the manifest: of pictures both are the same in all passes of a template. */
export interface PackedFile {
  name: string;
  /** SHA-1 in hexadecimal, as Wallet wants it. */
  digest: string;
  entry: ZipEntry;
}

export function packFiles(files: PassFiles): PackedFile[] {
  return Object.entries(files).map(([name, content]) => ({
    name,
    digest: createHash('sha1').update(content).digest('hex'),
    entry: zipEntry(name, content),
  }));
}

/** Packs and signs a .pkpass: the files, their digests (manifest.json) and a detached PKCS#7 signature of those. */
export async function signBundle(
  files: readonly PackedFile[],
  credentials: AppleCredentials,
  now: Date,
): Promise<Buffer> {
  const digests = Object.fromEntries(files.map(({ name, digest }) => [name, digest]));
  const manifest = Buffer.from(JSON.stringify(digests));
  const signature = await signatureOf(manifest, credentials, now);
  return zipOf([
    ...files.map(({ entry }) => entry),
    zipEntry('manifest.json', manifest),
    zipEntry('signature', signature),
  ]);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ChannelCredentials, credentials, ServerCredentials } from '@grpc/grpc-js';

function readPair(folder: string): { authority: Buffer; key: Buffer; certificate: Buffer } {
  const read = (file: string): Buffer => readFileSync(path.join(folder, file));
  return { authority: read('ca.crt'), key: read('tls.key'), certificate: read('tls.crt') };
}

/** Mutual TLS when a folder with ca.crt, tls.crt and tls.key is given: each side must show a certificate. */
export function clientCredentials(tlsFolder: string | undefined): ChannelCredentials {
  if (!tlsFolder) return credentials.createInsecure();
  const { authority, key, certificate } = readPair(tlsFolder);
  return credentials.createSsl(authority, key, certificate);
}

export function serverCredentials(tlsFolder: string | undefined): ServerCredentials {
  if (!tlsFolder) return ServerCredentials.createInsecure();
  const { authority, key, certificate } = readPair(tlsFolder);
  return ServerCredentials.createSsl(
    authority,
    [{ private_key: key, cert_chain: certificate }],
    true,
  );
}

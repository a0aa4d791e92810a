import {
  type ChannelCredentials,
  credentials,
  experimental,
  ServerCredentials,
} from '@grpc/grpc-js';
import { watchCertificates } from './certificates';

/** Certificates live for months and are renewed weeks before they end. */
const LOOK_MS = 60_000;

/**
 * Mutual TLS when a folder with ca.crt, tls.crt and tls.key is given: each side must show a certificate of the
 * authority, and the server's must name the service as it was called. What is written there later serves connections
 * from then on, without a restart.
 */
export function clientCredentials(
  tlsFolder: string | undefined,
  lookMs = LOOK_MS,
): ChannelCredentials {
  if (!tlsFolder) return credentials.createInsecure();
  const provider = watchCertificates(tlsFolder, lookMs);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

export function serverCredentials(
  tlsFolder: string | undefined,
  lookMs = LOOK_MS,
): ServerCredentials {
  if (!tlsFolder) return ServerCredentials.createInsecure();
  const provider = watchCertificates(tlsFolder, lookMs);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

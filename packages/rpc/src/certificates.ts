import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { experimental } from '@grpc/grpc-js';
import { Gauge, metrics } from '@laurel/lifecycle';

/** Counted per process: services that share one share a folder too. */
const certificateEnds = new Gauge({
  name: 'tls_certificate_not_after_seconds',
  help: 'When the certificate that this process shows to other services ends, in seconds since 1970.',
  registers: [metrics.registry],
});

interface Certificates {
  caCertificate: Buffer;
  certificate: Buffer;
  privateKey: Buffer;
}

type Listener = (update: Certificates) => void;

/**
 * What lies in a folder as ca.crt, tls.crt and tls.key, now and whenever it is replaced. Throws where it is not usable
 * at first; later it stays with what it had until all three are there and belong together, as they may be written one
 * after the other.
 */
export function watchCertificates(
  folder: string,
  everyMs: number,
): experimental.CertificateProvider {
  let current = read(folder);
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const found = readOrNothing(folder);
    if (!found || isSame(found, current)) return;
    current = found;
    for (const listener of listeners) listener(current);
  };
  const add = (listener: Listener): void => {
    listeners.add(listener);
    timer ??= setInterval(look, everyMs).unref();
    process.nextTick(() => listeners.has(listener) && listener(current));
  };
  const remove = (listener: Listener): void => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    addCaCertificateListener: add,
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: add,
    removeIdentityCertificateListener: remove,
  };
}

function read(folder: string): Certificates {
  const file = (name: string): Buffer => readFileSync(path.join(folder, name));
  const found = {
    caCertificate: file('ca.crt'),
    certificate: file('tls.crt'),
    privateKey: file('tls.key'),
  };
  const key = createPrivateKey(found.privateKey);
  const certificate = new X509Certificate(found.certificate);
  if (!certificate.checkPrivateKey(key))
    throw new Error(`tls.key does not belong to tls.crt in ${folder}`);
  certificateEnds.set(Date.parse(certificate.validTo) / 1_000);
  return found;
}

function readOrNothing(folder: string): Certificates | undefined {
  try {
    return read(folder);
  } catch {
    return undefined;
  }
}

const isSame = (one: Certificates, other: Certificates): boolean =>
  one.caCertificate.equals(other.caCertificate) &&
  one.certificate.equals(other.certificate) &&
  one.privateKey.equals(other.privateKey);

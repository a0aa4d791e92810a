import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '@laurel/config';
import { broken, type Finding, fine, reasonOf, warning } from './finding';

const DAY_MS = 86_400_000;
const DAYS_WARNING = 14;

/** The certificates between services, in RPC_TLS_FOLDER: usable, belonging together, and for how long. */
export function examineCertificates(environment: Environment, now = Date.now()): Finding[] {
  const folder = environment.RPC_TLS_FOLDER;
  if (!folder) return [];
  const about = `certificates in ${folder}`;
  const read = (name: string) => readFileSync(path.join(folder, name));
  try {
    const authority = new X509Certificate(read('ca.crt'));
    const own = new X509Certificate(read('tls.crt'));
    if (!own.checkPrivateKey(createPrivateKey(read('tls.key'))))
      return [broken(about, 'tls.key does not belong to tls.crt', 'write all three files anew')];
    if (!own.verify(authority.publicKey))
      return [broken(about, 'tls.crt was not signed by ca.crt', 'write all three files anew')];
    return [
      endFinding(`${about}: tls.crt`, own, now),
      endFinding(`${about}: ca.crt`, authority, now),
    ];
  } catch (error) {
    const mend = 'node deploy/certificates.mjs makes them; in Kubernetes cert-manager';
    return [broken(about, `cannot be read: ${reasonOf(error)}`, mend)];
  }
}

function endFinding(about: string, certificate: X509Certificate, now: number): Finding {
  const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY_MS);
  const mend = 'docs/runbooks/LaurelCertificateEnds.md';
  if (days < 0) return broken(about, `ended on ${certificate.validTo}`, mend);
  if (days < DAYS_WARNING) return warning(about, `ends in ${days} days`, mend);
  return fine(about, `holds for ${days} days`);
}

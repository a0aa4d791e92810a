// Makes what mutual TLS between the services needs, with openssl: an authority, and a certificate for each service.
//
//   node deploy/certificates.mjs <folder> [service ...]
//
// Leaves <folder>/authority (its key makes its holder every service: keep it apart) and <folder>/<service>/{ca.crt,tls.crt,tls.key}.
// Run again it keeps the authority and makes new certificates, which running services take within a minute. In Kubernetes
// cert-manager does this (tls.certManager in the chart's values).
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceNames } from './local/lib/workspace.mjs';

const AUTHORITY_DAYS = '3650';
const CERTIFICATE_DAYS = '90';
const SERVICES_USER = 1000;

/** @param {string[]} args */
const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

/**
 * @param {string} folder
 * @returns {{ key: string, certificate: string }} files of the authority, made where there is none
 */
export function makeAuthority(folder) {
  const [key, certificate] = [path.join(folder, 'ca.key'), path.join(folder, 'ca.crt')];
  if (existsSync(key)) return { key, certificate };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const subject = ['-subj', '/CN=Laurel services'];
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    ...subject,
    '-days',
    AUTHORITY_DAYS,
    '-keyout',
    key,
    '-out',
    certificate,
  );
  return { key, certificate };
}

/**
 * A certificate that names a service as the others call it, and the loopback address for platforms on one machine.
 *
 * @param {string} folder where ca.crt, tls.crt and tls.key go; each is replaced as a whole
 * @param {string} name
 * @param {{ key: string, certificate: string, days?: string }} authority `days` is how long what it signs holds
 */
export function makeCertificate(folder, name, { days = CERTIFICATE_DAYS, ...authority }) {
  mkdirSync(folder, { recursive: true });
  const file = (/** @type {string} */ ending) => path.join(folder, `new.${ending}`);
  openssl('req', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', file('key'), '-out', file('csr'));
  writeFileSync(
    file('ext'),
    `subjectAltName=DNS:${name},DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n`,
  );
  const signing = ['-CA', authority.certificate, '-CAkey', authority.key, '-CAcreateserial'];
  const made = ['-days', days, '-extfile', file('ext'), '-out', file('crt')];
  openssl('x509', '-req', '-in', file('csr'), ...signing, ...made);
  for (const ending of ['csr', 'ext']) rmSync(file(ending));
  copyFileSync(authority.certificate, path.join(folder, 'ca.crt'));
  // Containers run as this user, who must be able to read the key; an account that is not root is that user as a rule.
  if (process.getuid?.() === 0) chownSync(file('key'), SERVICES_USER, SERVICES_USER);
  renameSync(file('key'), path.join(folder, 'tls.key'));
  renameSync(file('crt'), path.join(folder, 'tls.crt'));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...named] = process.argv.slice(2);
  if (!folder) throw new Error('say where: node deploy/certificates.mjs <folder> [service ...]');
  const authority = makeAuthority(path.join(folder, 'authority'));
  for (const name of named.length > 0 ? named : serviceNames())
    makeCertificate(path.join(folder, name), name, authority);
}

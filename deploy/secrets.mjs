// Prints a Kubernetes Secret for each service, with what it reads of one file of settings and nothing else:
//
//   node deploy/secrets.mjs settings.env [--namespace laurel] | kubectl apply -f -
//
// The file has lines NAME=value as in docs/config.md. `ledger.MONGODB_URI=...` is for one service only: give each an
// account of the database that opens its own, laurel_<service>, and no other.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'yaml';
import { ROOT } from './local/lib/paths.mjs';

const STORES = ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'];

/** Of a Redis cluster several are named. @param {string} name @param {string} value */
const nodesOf = (name, value) => (name === 'REDIS_URL' ? value.split(',') : [value]);

/** @returns {Record<string, { required: string[], optional: string[] }>} by service, as the chart's values say it */
function secretsOfServices() {
  const values = parse(readFileSync(path.join(ROOT, 'deploy/helm/laurel/values.yaml'), 'utf8'));
  return Object.fromEntries(
    Object.entries(values.services).map(([name, service]) => [
      name,
      service?.secrets ?? values.defaults.secrets,
    ]),
  );
}

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function readSettings(text) {
  const lines = text.split('\n').filter((line) => /^[\w.]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
}

/**
 * Throws with everything that is missing, and where an address of a store names no account.
 *
 * @param {Record<string, string>} settings
 * @param {string} namespace
 */
export function secretManifests(settings, namespace) {
  /** @type {string[]} */
  const problems = [];
  const manifests = Object.entries(secretsOfServices()).map(([service, { required, optional }]) => {
    const given = (/** @type {string} */ name) => settings[`${service}.${name}`] || settings[name];
    for (const name of required) {
      const value = given(name);
      if (!value) problems.push(`${service} needs ${name}`);
      else if (STORES.includes(name) && nodesOf(name, value).some((url) => !new URL(url).password))
        problems.push(`${name} of ${service} has no password: anybody inside reaches that store`);
    }
    const pairs = [...required, ...optional].flatMap((name) => {
      const value = given(name);
      return value ? [[name, value]] : [];
    });
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `laurel-${service}`, namespace },
      stringData: Object.fromEntries(pairs),
    };
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return manifests;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, flag, namespace = 'laurel'] = process.argv.slice(2);
  if (!file || (flag && flag !== '--namespace'))
    throw new Error('usage: node deploy/secrets.mjs <file of settings> [--namespace laurel]');
  const manifests = secretManifests(readSettings(readFileSync(file, 'utf8')), namespace);
  process.stdout.write(manifests.map((manifest) => stringify(manifest)).join('---\n'));
}

// Prints a Kubernetes Secret for each service (in sizes small and medium: for each process), with what it reads of one file of
// settings and nothing else:
//
//   node deploy/secrets.mjs settings.env --size small|medium|large [--namespace laurel] | kubectl apply -f -
//
// The file has lines NAME=value as in docs/config.md; what has several lines, such as a certificate, stands in a file of its
// own: APPLE_PASS_KEY_FILE=apple.key, seen from the file of settings. `ledger.MONGODB_URI=...` is for one service only: give
// each an account of the database that opens its own, laurel_<service>, and no other.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { ROOT } from './local/lib/paths.mjs';

const STORES = ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'];

/** Of a Redis cluster several are named. @param {string} name @param {string} value */
const nodesOf = (name, value) => (name === 'REDIS_URL' ? value.split(',') : [value]);

/** Not read as a URL: members of a replica set, each with its port, are none. */
const WITH_PASSWORD = /^[a-z][a-z+]*:\/\/[^/?#@:]*:[^/?#@]+@/;

/** @typedef {{ required: string[], optional: string[] }} Secrets */

const CHART = 'deploy/helm/laurel';
const SIZES = ['small', 'medium', 'large'];
const valuesIn = (/** @type {string} */ file) =>
  parse(readFileSync(path.join(ROOT, CHART, file), 'utf8'));

/** @returns {Record<string, Secrets>} by service, as the chart's values say it */
function secretsOfServices() {
  const values = valuesIn('values.yaml');
  return Object.fromEntries(
    Object.entries(values.services).map(([name, service]) => [
      name,
      service?.secrets ?? values.defaults.secrets,
    ]),
  );
}

/**
 * What each pod reads: a service's own, or in sizes small and medium that of all services in a process.
 *
 * @param {string} size
 * @returns {Record<string, { services: string[] } & Secrets>}
 */
function secretsOfPods(size) {
  const services = secretsOfServices();
  const hosts = Object.entries(valuesIn(`sizes/${size}.yaml`).hosts ?? {});
  if (hosts.length === 0)
    return Object.fromEntries(
      Object.entries(services).map(([name, secrets]) => [name, { services: [name], ...secrets }]),
    );
  return Object.fromEntries(
    hosts.map(([name, host]) => {
      const hosted = /** @type {string[]} */ (host.services.split(','));
      const all = (/** @type {keyof Secrets} */ kind) => [
        ...new Set(hosted.flatMap((service) => services[service]?.[kind] ?? [])),
      ];
      const [required, optional] = [all('required'), all('optional')];
      return [name, { services: hosted, required, optional }];
    }),
  );
}

const FROM_FILE = '_FILE';

/**
 * Throws where a line is none of NAME=value: it belongs to a value of several lines, of which the first would be taken for
 * all of it. What stands there may be a key, so that the place alone is named.
 *
 * @param {string} text
 * @param {(file: string) => string} [read] what stands in a file that is named by NAME_FILE
 * @returns {Record<string, string>}
 */
export function readSettings(text, read = () => '') {
  const entries = text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, name = '', value = ''] = /^([A-Za-z_][\w.]*)=(.*)$/.exec(line) ?? [];
    // The end of a key in base64 looks like a name; those of settings are in capitals.
    if (!/^([a-z]+\.)?[A-Z][A-Z0-9_]*$/.test(name))
      throw new Error(
        `line ${index + 1} is no NAME=value; a value of several lines goes into a file: NAME${FROM_FILE}=path`,
      );
    return name.endsWith(FROM_FILE)
      ? [[name.slice(0, -FROM_FILE.length), read(value.trim())]]
      : [[name, value.trim()]];
  });
  return Object.fromEntries(entries);
}

/**
 * Throws with everything that is missing, and where an address of a store names no account.
 *
 * @param {Record<string, string>} settings
 * @param {string} namespace
 * @param {string} size of `deploy/helm/laurel/sizes`
 */
export function secretManifests(settings, namespace, size) {
  /** @type {string[]} */
  const problems = [];
  const manifests = Object.entries(secretsOfPods(size)).map(([pod, reading]) => {
    const { services, required, optional } = reading;
    // One process has one account: that of a service alone is for where the service is alone.
    const own = services.length === 1 ? services[0] : pod;
    const given = (/** @type {string} */ name) => settings[`${own}.${name}`] || settings[name];
    for (const name of required) {
      const value = given(name);
      if (!value) problems.push(`${pod} needs ${name}`);
      else if (
        STORES.includes(name) &&
        nodesOf(name, value).some((url) => !WITH_PASSWORD.test(url))
      )
        problems.push(`${name} of ${pod} has no password: anybody inside reaches that store`);
    }
    // What is not set is empty: a name that is left out would leave what an earlier file said of it in place.
    const pairs = [...required, ...optional].map((name) => [name, given(name) || '']);
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `laurel-${pod}`, namespace },
      stringData: Object.fromEntries(pairs),
    };
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return manifests;
}

/**
 * Names of a file of settings that no secret holds: of what is no secret, which is set in the chart or the overlay, and misspelt
 * ones. What is left out in silence is taken for set.
 *
 * @param {Record<string, string>} settings
 * @param {string} size of `deploy/helm/laurel/sizes`
 * @returns {string[]}
 */
export function unusedSettings(settings, size) {
  const used = new Set(
    Object.entries(secretsOfPods(size)).flatMap(([pod, { services, required, optional }]) => {
      const own = services.length === 1 ? services[0] : pod;
      return [...required, ...optional].flatMap((name) => [name, `${own}.${name}`]);
    }),
  );
  return Object.keys(settings).filter((name) => !used.has(name));
}

/**
 * The size that is installed, which is never guessed: secrets that no pod reads are applied as well as any, and a key that leaked would
 * stay in use. Throws with how to find it out.
 *
 * @param {string | undefined} size
 * @returns {string}
 */
function requireSize(size) {
  if (size && SIZES.includes(size)) return size;
  const ways = SIZES.map(
    (each) => `  --size ${each}: ${Object.keys(secretsOfPods(each)).join(', ')}`,
  );
  throw new Error(
    [
      size ? `There is no size ${size}.` : 'Say with --size which size is installed.',
      'Pods of each size read secrets of other names. Which it is, the names in `kubectl get deployments --namespace laurel` say:',
      ...ways,
    ].join('\n'),
  );
}

/** Prints the secrets, and on stderr what is in none of them. Throws with what is wrong before anything is printed. */
function printSecrets() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { namespace: { type: 'string', default: 'laurel' }, size: { type: 'string' } },
  });
  const [file] = positionals;
  if (!file)
    throw new Error(
      'usage: node deploy/secrets.mjs <file of settings> --size small|medium|large [--namespace laurel]',
    );
  const size = requireSize(values.size);
  const beside = (/** @type {string} */ named) =>
    readFileSync(path.resolve(path.dirname(file), named), 'utf8').trim();
  const settings = readSettings(readFileSync(file, 'utf8'), beside);
  const manifests = secretManifests(settings, values.namespace, size);
  const unused = unusedSettings(settings, size);
  if (unused.length > 0)
    process.stderr.write(
      `In no secret, so that it has to be set elsewhere (env of the chart's values, or k8s/base/kustomization.yaml): ${unused.join(', ')}\n`,
    );
  process.stdout.write(manifests.map((manifest) => stringify(manifest)).join('---\n'));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    printSecrets();
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}

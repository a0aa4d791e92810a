// What Kubernetes would get, checked offline: known fields of the right types, Pod Security "restricted", and a
// place for every service. kubectl renders the overlays where it is to be had; a helm binary, or our own reader of what
// the chart uses of its language, the chart.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
import { renderChart } from './helm-template.mjs';
import { podProblems } from './pod-rules.mjs';

const load = createRequire(path.join(ROOT, 'scripts/check-manifests.mjs'));
const OVERLAYS = ['k8s/overlays/development', 'k8s/overlays/production'];
const CHART = 'deploy/helm/laurel';

/** The chart as it comes, and with everything switched on that can be. */
const CHART_VALUES = {
  'as it is': {},
  'with all of it': {
    image: { digests: { ledger: `sha256:${'0'.repeat(64)}` }, pullSecrets: [{ name: 'registry' }] },
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'laurel-web' },
    networkPolicy: {
      gatewayFrom: [{ namespaceSelector: {} }],
      metricsFrom: [{ namespaceSelector: {} }],
      storesTo: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
      egress: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }], ports: [{ port: 4318 }] }],
    },
    serviceMonitor: { enabled: true },
    tls: { enabled: true, certManager: { enabled: true } },
  },
};

/** The three sizes: small hosts everything in one process, medium in three. */
export const SIZES = ['small', 'medium', 'large'];

/** @param {string} name @returns {Manifest} */
export const sizeValues = (name) =>
  parse(readFileSync(path.join(ROOT, CHART, 'sizes', `${name}.yaml`), 'utf8'));

/** Kinds of others, whose schemas we do not have. */
const FOREIGN_KINDS = new Set(['ServiceMonitor', 'Certificate']);

/** @typedef {Record<string, any>} Manifest */

/**
 * The documents that a command prints; null where the command is not to be had.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Manifest[] | null}
 */
function rendered(command, args) {
  try {
    const text = execFileSync(command, args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return documentsIn(text);
  } catch (error) {
    const { code, stderr, message } = /** @type {any} */ (error);
    if (code === 'ENOENT') return null;
    throw new Error(`${command} ${args.join(' ')}: ${String(stderr || message).slice(0, 1_000)}`);
  }
}

/**
 * The chart with these values set.
 *
 * @param {object} values
 * @returns {Manifest[]}
 */
export function renderedChart(values) {
  const release = { name: 'laurel', namespace: 'laurel', values };
  return (
    rendered('helm', ['template', 'laurel', CHART, '--namespace', 'laurel', ...setFlags(values)]) ??
    documentsIn(renderChart(path.join(ROOT, CHART), release))
  );
}

/** @param {object} values */
const setFlags = (values) =>
  Object.entries(values).flatMap(([name, value]) => [
    '--set-json',
    `${name}=${JSON.stringify(value)}`,
  ]);

/**
 * @param {string} text
 * @returns {Manifest[]}
 */
const documentsIn = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter(Boolean);

/** The classes that Kubernetes' own client knows manifests by. @type {Record<string, string>} */
const CLASS_OF_KIND = {
  'apps/v1 Deployment': 'V1Deployment',
  'batch/v1 Job': 'V1Job',
  'v1 Service': 'V1Service',
  'v1 ConfigMap': 'V1ConfigMap',
  'v1 Namespace': 'V1Namespace',
  'autoscaling/v2 HorizontalPodAutoscaler': 'V2HorizontalPodAutoscaler',
  'policy/v1 PodDisruptionBudget': 'V1PodDisruptionBudget',
  'networking.k8s.io/v1 NetworkPolicy': 'V1NetworkPolicy',
  'networking.k8s.io/v1 Ingress': 'V1Ingress',
};

/**
 * Names every member that Kubernetes does not know, which it would silently drop.
 *
 * @param {unknown} value
 * @param {string} typeName
 * @param {string} at
 * @returns {string[]}
 */
function unknownMembers(value, typeName, at) {
  const listed = /^Array<(.+)>$/.exec(typeName);
  if (listed && Array.isArray(value))
    return value.flatMap((item, index) =>
      unknownMembers(item, /** @type {string} */ (listed[1]), `${at}[${index}]`),
    );
  const type = load('@kubernetes/client-node')[typeName];
  if (!type?.getAttributeTypeMap || typeof value !== 'object' || value === null) return [];
  const known = new Map(
    type
      .getAttributeTypeMap()
      .map((/** @type {{ baseName: string, type: string }} */ each) => [each.baseName, each.type]),
  );
  return Object.entries(value).flatMap(([name, member]) => {
    const memberType = known.get(name);
    return memberType === undefined
      ? [`${at}.${name} is not a known field`]
      : unknownMembers(member, String(memberType), `${at}.${name}`);
  });
}

/**
 * @param {Manifest} manifest
 * @returns {string[]}
 */
export function schemaProblems(manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const at = `${kind} ${metadata?.name}`;
  const className = CLASS_OF_KIND[`${apiVersion} ${kind}`];
  if (!className) return [`${at}: no schema is known for ${apiVersion} ${kind}`];
  const problems = unknownMembers(manifest, className, at);
  try {
    const Model = load(`kubernetes-models/${apiVersion}`)[kind];
    new Model(manifest).validate();
  } catch (error) {
    problems.push(`${at}: ${/** @type {Error} */ (error).message}`);
  }
  return problems;
}

/**
 * Each service has a deployment that scales, survives node drains and is found by name; a default-deny policy stands.
 *
 * @param {Manifest[]} manifests
 * @param {string[]} services
 * @returns {string[]}
 */
export function completenessProblems(manifests, services) {
  const has = (/** @type {string} */ kind, /** @type {string} */ name) =>
    manifests.some((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  const missing = services.flatMap((name) =>
    ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']
      .filter((kind) => !has(kind, name))
      .map((kind) => `${name} has no ${kind}`),
  );
  return has('NetworkPolicy', 'laurel-default-deny')
    ? missing
    : [...missing, 'there is no default-deny NetworkPolicy'];
}

/**
 * @param {Manifest[]} manifests
 * @param {string[]} services
 */
function problemsOf(manifests, services) {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  return [
    ...manifests.filter(({ kind }) => !FOREIGN_KINDS.has(kind)).flatMap(schemaProblems),
    ...deployments.flatMap(podProblems),
    ...completenessProblems(manifests, services),
  ];
}

/** Fails with everything that is wrong; resolves to what could be checked. */
export async function checkManifests() {
  const services = serviceNames();
  /** @type {string[]} */
  const problems = [];
  const checked = [];
  for (const overlay of OVERLAYS) {
    const manifests = rendered('kubectl', ['kustomize', overlay]);
    if (!manifests) continue;
    checked.push(overlay);
    problems.push(...problemsOf(manifests, services).map((problem) => `${overlay}: ${problem}`));
  }
  for (const [how, values] of Object.entries(CHART_VALUES)) {
    checked.push(`${CHART} ${how}`);
    const found = problemsOf(renderedChart(values), services);
    problems.push(...found.map((problem) => `${CHART} ${how}: ${problem}`));
  }
  for (const size of SIZES) {
    checked.push(`${CHART} ${size}`);
    const values = sizeValues(size);
    const found = problemsOf(renderedChart(values), values.hosts ? [] : services);
    problems.push(...found.map((problem) => `${CHART} ${size}: ${problem}`));
  }
  const values = parse(readFileSync(path.join(ROOT, CHART, 'values.yaml'), 'utf8'));
  problems.push(
    ...services
      .filter((name) => !(name in values.services))
      .map((name) => `${CHART}/values.yaml has no entry for ${name}`),
  );
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
  return checked;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkManifests().then(
    (checked) => process.stdout.write(`checked ${checked.join(', ')}\n`),
    (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    },
  );
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import {
  checkManifests,
  completenessProblems,
  renderedChart,
  schemaProblems,
} from './check-manifests.mjs';
import { podProblems } from './pod-rules.mjs';

const SPREAD_OVER = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

function deployment() {
  const container = {
    name: 'ledger',
    image: 'laurel/ledger:0.1.0',
    resources: { requests: { cpu: '100m' }, limits: { memory: '512Mi' } },
    livenessProbe: { httpGet: { path: '/health/live', port: 'health' } },
    readinessProbe: { httpGet: { path: '/health/ready', port: 'health' } },
    startupProbe: { httpGet: { path: '/health/live', port: 'health' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
  const labels = { app: 'ledger' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'ledger' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: SPREAD_OVER.map((topologyKey) => ({
            maxSkew: 1,
            topologyKey,
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: labels },
          })),
          containers: [container],
        },
      },
    },
  };
}

type Changed = ReturnType<typeof deployment> & Record<string, never>;
const changed = (change: (manifest: Changed) => void): Changed => {
  const manifest = deployment() as Changed;
  change(manifest);
  return manifest;
};
const container = (manifest: Changed) =>
  manifest.spec.template.spec.containers[0] as unknown as Record<string, unknown>;

test('a sound deployment passes', () => {
  expect([...schemaProblems(deployment()), ...podProblems(deployment())]).toEqual([]);
});

test.each([
  ['a misspelt probe', (m: Changed) => (container(m).readynessProbe = {})],
  ['a wrong type', (m: Changed) => Object.assign(m.spec, { replicas: 'two' })],
  ['a missing selector', (m: Changed) => Reflect.deleteProperty(m.spec, 'selector')],
  [
    'a misspelt security setting',
    (m: Changed) => Object.assign(m.spec.template.spec.securityContext, { runAsNonroot: true }),
  ],
])('%s is found by the schema', (_name, change) => {
  expect(schemaProblems(changed(change))).not.toEqual([]);
});

test.each([
  [
    'running as root',
    (m: Changed) => Object.assign(m.spec.template.spec.securityContext, { runAsNonRoot: false }),
  ],
  ['a writable root', (m: Changed) => (container(m).securityContext = {})],
  [
    'settings that Kubernetes makes of the names of Services',
    (m: Changed) => Reflect.deleteProperty(m.spec.template.spec, 'enableServiceLinks'),
  ],
  ['a missing probe', (m: Changed) => Reflect.deleteProperty(container(m), 'livenessProbe')],
  ['no memory limit', (m: Changed) => (container(m).resources = { requests: { cpu: '1' } })],
  [
    'a path of the host',
    (m: Changed) =>
      Object.assign(m.spec.template.spec, { volumes: [{ name: 'h', hostPath: { path: '/' } }] }),
  ],
  [
    'a volume that fills the disk of its node',
    (m: Changed) => Object.assign(m.spec.template.spec, { volumes: [{ name: 't', emptyDir: {} }] }),
  ],
  [
    'a service that may stand on one host',
    (m: Changed) => Reflect.deleteProperty(m.spec.template.spec, 'topologySpreadConstraints'),
  ],
])('%s is not let through', (_name, change) => {
  expect(podProblems(changed(change))).not.toEqual([]);
});

test('a service without its deployment, and a missing default-deny policy, are named', () => {
  expect(completenessProblems([], ['tiers'])).toEqual([
    'tiers has no Deployment',
    'tiers has no Service',
    'tiers has no HorizontalPodAutoscaler',
    'tiers has no PodDisruptionBudget',
    'there is no default-deny NetworkPolicy',
  ]);
});

test('the chart renders, bare and with everything switched on, to manifests that Kubernetes takes', async () => {
  const checked = await checkManifests();
  expect(checked).toEqual(
    expect.arrayContaining(['deploy/helm/laurel as it is', 'deploy/helm/laurel with all of it']),
  );
});

test('chart and kustomize say the same of the network', () => {
  const file = path.join(ROOT, 'k8s/base/network-policy.yaml');
  const ours = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  const charts = renderedChart({}).filter(({ kind }) => kind === 'NetworkPolicy');
  const specs = (policies: { metadata: { name: string }; spec: unknown }[]) =>
    Object.fromEntries(policies.map(({ metadata, spec }) => [metadata.name, sortedLists(spec)]));
  expect(specs(charts as never)).toEqual(specs(ours));
});

test('a drain takes one pod of a service at a time, however many there are, and the only one, too', () => {
  const budgets = renderedChart({}).filter(({ kind }) => kind === 'PodDisruptionBudget');
  expect(budgets.length).toBeGreaterThan(0);
  for (const { spec } of budgets as unknown as { spec: object }[])
    expect(spec).toEqual({ maxUnavailable: 1, selector: expect.anything() });
});

/** Kustomize's and the chart's files may list names in another order; it means the same. */
function sortedLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sortedLists);
    return items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sortedLists(each)]));
}

describe('the chart', () => {
  type Deployment = {
    kind: string;
    metadata: { name: string };
    spec: { template: { spec: Record<string, never> } };
  };
  const containersOf = (values: object) =>
    (renderedChart(values) as Deployment[])
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => {
        const { containers, volumes } = spec.template.spec as unknown as {
          containers: {
            image: string;
            env: { name: string }[];
            volumeMounts: { name: string }[];
          }[];
          volumes: { name: string; secret?: { secretName: string } }[];
        };
        return { name: metadata.name, volumes, ...containers[0]! };
      });

  test('gives every service a certificate of its own when mutual TLS is on, and none when it is off', () => {
    const tlsOf = (values: object) =>
      containersOf(values).map(({ name, env, volumes }) => [
        name,
        env.some((setting) => setting.name === 'RPC_TLS_FOLDER'),
        volumes.find((volume) => volume.name === 'tls')?.secret?.secretName,
      ]);
    for (const [name, isOn, secret] of tlsOf({ tls: { enabled: true } }))
      expect([isOn, secret]).toEqual([true, `laurel-${name}-tls`]);
    for (const [, isOn, secret] of tlsOf({})) expect([isOn, secret]).toEqual([false, undefined]);
  });

  test('names to every service those who may call it, the same whom the network lets through', () => {
    const values = { tls: { enabled: true } };
    const callersOf = (env: { name: string; value?: string }[]) =>
      env.find(({ name }) => name === 'RPC_CALLERS')?.value?.split(',');
    const told = containersOf(values).map(({ name, env }) => [name, callersOf(env)]);
    const chart = readFileSync(path.join(ROOT, 'deploy/helm/laurel/values.yaml'), 'utf8');
    const { services } = parse(chart) as { services: Record<string, { calledBy?: string[] }> };
    const wanted = Object.entries(services).map(([name, { calledBy }]) => [name, calledBy]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(wanted));
  });

  test('runs the very image whose digest is given', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const images = containersOf({ image: { digests: { ledger: digest } } });
    expect(images.find(({ name }) => name === 'ledger')?.image).toMatch(new RegExp(`@${digest}$`));
    expect(images.filter(({ image }) => image.includes('@'))).toHaveLength(1);
  });
});

import { completenessProblems, podProblems, schemaProblems } from './check-manifests.mjs';

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
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
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
  ['a missing probe', (m: Changed) => Reflect.deleteProperty(container(m), 'livenessProbe')],
  ['no memory limit', (m: Changed) => (container(m).resources = { requests: { cpu: '1' } })],
  [
    'a path of the host',
    (m: Changed) =>
      Object.assign(m.spec.template.spec, { volumes: [{ name: 'h', hostPath: { path: '/' } }] }),
  ],
])('%s is not "restricted"', (_name, change) => {
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

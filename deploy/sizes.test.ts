import { readFileSync } from 'node:fs';
import path from 'node:path';
import { backend } from '@laurel/config';
import { parse } from 'yaml';
import { renderedChart, SIZES, sizeValues } from '../scripts/check-manifests.mjs';
import { CPU_MS, MEMORY_MIB } from './capacity.mjs';
import { ROOT } from './local/lib/paths.mjs';
import { serviceNames } from './local/lib/workspace.mjs';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they are written
type Yaml = Record<string, any>;
const services = serviceNames();
/** How far the document of the settings says that one may go. */
const shutdownSecondsMax = Number(/Up to (\d+) /.exec(backend.shutdownSeconds.description)![1]);
const cpu: Record<string, number> = CPU_MS;
const memory: Record<string, number> = MEMORY_MIB;

const measured = Object.keys(CPU_MS).filter((name) => name !== 'others');
const cpuOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (cpu[name] ?? 0), 0) +
  // At worst all of what the others share is one service's.
  (names.some((name) => !measured.includes(name)) ? CPU_MS.others : 0);

const millicores = (text: string): number => Number(/^(\d+)m$/.exec(text)![1]);
const mebibytes = (text: string): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(text)!;
  return Number(number) * (unit === 'Gi' ? 1_024 : 1);
};

function sizeOf(name: string) {
  const values = sizeValues(name);
  const manifests: Yaml[] = renderedChart(values);
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const hosts = ofKind('Deployment').map((deployment) => {
    const [container] = deployment.spec.template.spec.containers;
    const env: Yaml[] = container.env;
    const settingOf = (variable: string) => env.find((one) => one.name === variable)?.value;
    const scaler = ofKind('HorizontalPodAutoscaler').find(
      ({ metadata }) => metadata.name === deployment.metadata.name,
    );
    return {
      name: deployment.metadata.name as string,
      services: (settingOf('SERVICES')?.split(',') ?? [deployment.metadata.name]) as string[],
      request: container.resources.requests,
      limit: container.resources.limits,
      pods: (scaler?.spec.maxReplicas ?? deployment.spec.replicas) as number,
      target: (scaler?.spec.metrics[0].resource.target.averageUtilization ?? 60) as number,
      env,
    };
  });
  return { values, manifests, hosts, ofKind };
}

describe.each(SIZES)('the size %s', (size) => {
  const { values, manifests, hosts, ofKind } = sizeOf(size);

  test('runs every service once', () => {
    expect(hosts.flatMap((host) => host.services).sort()).toEqual([...services].sort());
  });

  test('bears the load that it promises with what its pods may use before another one is asked for', () => {
    for (const { services: own, request, target, pods } of hosts) {
      const coresOfAPod = (millicores(request.cpu) / 1_000) * (target / 100);
      const perSecond = (pods * coresOfAPod * 1_000) / cpuOf(own);
      expect(perSecond).toBeGreaterThanOrEqual(values.size.requestsPerSecond);
    }
  });

  test('gives a pod the time to end: its door first, and then what it hosts besides', () => {
    for (const { spec } of ofKind('Deployment')) {
      const { terminationGracePeriodSeconds: grace, containers } = spec.template.spec;
      const [{ lifecycle }] = containers;
      const [, waitMs] = /, (\d+)\)/.exec(lifecycle.preStop.exec.command.at(-1))!;
      expect(grace).toBeGreaterThan(Number(waitMs) / 1_000 + 2 * shutdownSecondsMax);
    }
  });

  test('requests no less memory than was measured, and allows twice that', () => {
    for (const { services: own, request, limit } of hosts) {
      // Services of one process share what Node.js and the packages take, and need no less than the largest does alone.
      const shared = own.length === 1 ? 0 : 107 + 30 * own.length;
      const needed = Math.max(shared, ...own.map((name) => memory[name]!));
      expect(mebibytes(request.memory)).toBeGreaterThanOrEqual(needed);
      expect(mebibytes(limit.memory)).toBeGreaterThanOrEqual(1.9 * mebibytes(request.memory));
    }
  });

  test('names no port twice and finds each service where it listens', () => {
    for (const host of hosts) {
      const listening = host.env.filter(({ name }) => /_GRPC_PORT$/.test(name));
      expect(new Set(listening.map(({ value }) => value)).size).toBe(listening.length);
      for (const { name, value } of host.env.filter(({ name }) => /_GRPC_TARGET$/.test(name))) {
        const [, at, port] = /^dns:\/\/\/([a-z]+):(\d+)$/.exec(value)!;
        const there = hosts.find((one) => one.name === at)!;
        const expected = name.replace('_GRPC_TARGET', '_GRPC_PORT');
        expect(there.env).toContainEqual({ name: expected, value: port });
        const service = ofKind('Service').find(({ metadata }) => metadata.name === at)!;
        expect(service.spec.ports.map((one: Yaml) => String(one.port))).toContain(port);
        // A connection to an address of the cluster stays with one pod, and so would all calls.
        expect(service.spec.clusterIP).toBe('None');
      }
    }
  });

  test('one service of it is the door', () => {
    const doors = ofKind('Service').filter(({ spec }) =>
      spec.ports.some((port: Yaml) => port.name === 'http'),
    );
    expect(doors).toHaveLength(1);
  });

  test('has an ingress that leads to the door', () => {
    const ingress = renderedChart({ ...values, ingress: { enabled: true } }).find(
      ({ kind }) => kind === 'Ingress',
    ) as Yaml;
    const [path] = ingress.spec.rules[0].http.paths;
    const service = ofKind('Service').find(
      ({ metadata }) => metadata.name === path.backend.service.name,
    );
    expect(service?.spec.ports).toContainEqual(
      expect.objectContaining({ name: path.backend.service.port.name }),
    );
  });

  test('with mutual TLS, makes each certificate that a pod mounts', () => {
    const tls = { enabled: true, certManager: { enabled: true } };
    const all: Yaml[] = renderedChart({ ...values, tls });
    const made = all
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ spec }) => spec.secretName);
    const mounted = all
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => spec.template.spec.volumes as Yaml[])
      .flatMap(({ secret }) => secret?.secretName ?? []);
    expect(mounted.sort()).toEqual(made.sort());
    // Where somebody makes them by hand, the page goes by the names of the deployments.
    const page = readFileSync(path.join(ROOT, 'docs/runbooks/LaurelCertificateEnds.md'), 'utf8');
    const [, pattern = ''] = /create secret generic (\S+) --from-file tls\/NAME /.exec(page)!;
    const byHand = hosts.map(({ name }) => pattern.replace('NAME', name));
    expect(byHand.sort()).toEqual(mounted);
  });

  test('where pods do not build indexes, a job does before them, on the way up and on the way back', () => {
    const waits = hosts.some(({ env }) =>
      env.some(({ name, value }) => name === 'INDEXES_AT_START' && value === 'compare'),
    );
    const built = ofKind('Job').map(({ metadata }) => metadata.name.replace('-indexes', ''));
    const keeping = services.filter((name) => name !== 'gateway');
    expect(built.sort()).toEqual(waits ? [...keeping].sort() : []);
    for (const { metadata } of ofKind('Job'))
      expect(metadata.annotations['helm.sh/hook'].split(',').sort()).toEqual([
        'pre-install',
        'pre-rollback',
        'pre-upgrade',
      ]);
    expect(manifests.length).toBeGreaterThan(0);
  });
});

describe.each([...SIZES, 'none'])('what is set for all pods of the size %s', (size) => {
  const values = size === 'none' ? {} : sizeValues(size);
  const rendered = (more: Yaml, kind: string): Yaml[] =>
    renderedChart({ ...values, ...more }).filter((manifest) => manifest.kind === kind);
  const withDefaults = (defaults: Yaml) => ({ defaults: { ...values.defaults, ...defaults } });

  test('comes to each of them once, whatever the chart sets or reads of a secret by itself', () => {
    const env = {
      TRUST_PROXY: '2',
      LOG_LEVEL: 'warn',
      INDEXES_AT_START: 'build',
      MAIL_OUTBOX_DIR: '/tmp',
      SMTP_URL: 'smtp://relay',
    };
    const pods = ['Deployment', 'Job'].flatMap((kind) => rendered({ env }, kind));
    expect(pods.length).toBeGreaterThan(0);
    for (const { spec } of pods) {
      const [container] = spec.template.spec.containers;
      for (const [name, value] of Object.entries(env))
        expect(container.env.filter((one: Yaml) => one.name === name)).toEqual([{ name, value }]);
    }
  });

  test('gives way to what is set for one of them, also to nothing', () => {
    const [one] = rendered({}, 'Deployment').map(({ metadata }) => metadata.name);
    const entries = values.hosts ? 'hosts' : 'services';
    const own = { env: { LOG_LEVEL: '', TRUST_PROXY: '3' } };
    const among = { ...values[entries], [one]: { ...values[entries]?.[one], ...own } };
    const { spec } = rendered({ [entries]: among }, 'Deployment').find(
      ({ metadata }) => metadata.name === one,
    )!;
    expect(spec.template.spec.containers[0].env).toEqual(
      expect.arrayContaining([
        { name: 'LOG_LEVEL', value: '' },
        { name: 'TRUST_PROXY', value: '3' },
      ]),
    );
  });

  test('says how they scale and are drained', () => {
    const autoscaling = { enabled: true, minReplicas: 3, targetCPUUtilizationPercentage: 50 };
    const disruption = { maxUnavailable: 2 };
    const some = withDefaults({
      autoscaling: { ...values.defaults?.autoscaling, ...autoscaling },
      disruption,
    });
    const pods = rendered(some, 'Deployment');
    const scalers = rendered(some, 'HorizontalPodAutoscaler');
    expect(scalers).toHaveLength(pods.length);
    for (const { spec } of scalers) {
      expect(spec.minReplicas).toBe(3);
      expect(spec.metrics[0].resource.target.averageUtilization).toBe(50);
    }
    for (const { spec } of rendered(some, 'PodDisruptionBudget'))
      expect(spec.maxUnavailable).toBe(2);
  });

  test('says that they do not scale, and how many there are', () => {
    const fixed = withDefaults({ autoscaling: { enabled: false }, replicas: 3 });
    expect(rendered(fixed, 'HorizontalPodAutoscaler')).toEqual([]);
    for (const { spec } of rendered(fixed, 'Deployment')) expect(spec.replicas).toBe(3);
  });
});

test('without a size, too, a pod is given the memory that its service was measured to hold', () => {
  const ofChart = renderedChart({}).filter(({ kind }) => kind === 'Deployment') as Yaml[];
  expect(ofChart.map(({ metadata }) => metadata.name).sort()).toEqual([...services].sort());
  for (const { metadata, spec } of ofChart)
    expect(
      mebibytes(spec.template.spec.containers[0].resources.requests.memory),
    ).toBeGreaterThanOrEqual(memory[metadata.name]!);
  const base = parse(readFileSync(path.join(ROOT, 'k8s/service/deployment.yaml'), 'utf8'));
  const { requests } = base.spec.template.spec.containers[0].resources;
  expect(mebibytes(requests.memory)).toBeGreaterThanOrEqual(Math.max(...Object.values(memory)));
});

test('docs/scaling.md tells the figures that the sizes are made of', () => {
  const text = readFileSync(path.join(ROOT, 'docs/scaling.md'), 'utf8');
  for (const name of services)
    expect(text).toContain(`| ${name} | ${cpu[name] ?? '-'} | ${memory[name]} |`);
  for (const size of SIZES)
    expect(text).toContain(`| ${size} | ${sizeValues(size).size.requestsPerSecond} |`);
});

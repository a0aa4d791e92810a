import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '@laurel/config';
import { parse, parseAllDocuments } from 'yaml';
import { renderedChart, SIZES, sizeValues } from '../scripts/check-manifests.mjs';
import { SECRETS_OF } from './local/lib/compose-secrets.mjs';
import { ROOT } from './local/lib/paths.mjs';
import { filesBelow } from './local/lib/stamps.mjs';
import { serviceNames } from './local/lib/workspace.mjs';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they are written
type Yaml = Record<string, any>;
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const yaml = (file: string): Yaml => parse(read(file), { merge: true });
const services = serviceNames();
const sorted = (names: Iterable<string>): string[] => [...names].sort();

function settingsOf(service: string): Settings {
  return require(path.join(ROOT, 'services', service, 'src/config')).settings;
}

interface Secrets {
  required: string[];
  optional: string[];
}

/** The secrets that a service reads, as its own settings declare them. */
function secretsRead(service: string): Secrets {
  const secrets = Object.values(settingsOf(service)).filter(({ secret }) => secret);
  const isRequired = ({ schema }: (typeof secrets)[number]) =>
    (schema.describe() as { flags?: { presence?: string } }).flags?.presence === 'required';
  const names = (some: typeof secrets) => sorted(some.map(({ variable }) => variable));
  return {
    required: names(secrets.filter(isRequired)),
    optional: names(secrets.filter((each) => !isRequired(each))),
  };
}

/** Who calls a service: those that have a setting that says where it is. */
const callersOf = (service: string): string[] =>
  sorted(services.filter((caller) => `${service}Target` in settingsOf(caller)));

const chart = yaml('deploy/helm/laurel/values.yaml');
const inChart = (service: string): Yaml => ({ ...chart.defaults, ...chart.services[service] });
const compose = yaml('docker-compose.yml');
const policies = parseAllDocuments(read('k8s/base/network-policy.yaml')).map(
  (document) => document.toJS() as Yaml,
);
const policyOf = (name: string): Yaml =>
  policies.find(({ metadata }) => metadata.name === name)!.spec;

/** Entries of a list that a kustomization adds to the pod of its service. */
function addedEnvironment(service: string): Yaml[] {
  const { patches } = yaml(`k8s/base/${service}/kustomization.yaml`);
  return patches
    .filter(({ target }: Yaml) => target.kind === 'Deployment')
    .flatMap(({ patch }: Yaml) => parse(patch))
    .filter((operation: Yaml) => operation.path.endsWith('/env'))
    .flatMap((operation: Yaml) => operation.value);
}

describe.each(services)('%s', (service) => {
  test('gets the secrets that it reads from the chart, and no other', () => {
    const { required, optional } = inChart(service).secrets;
    expect({ required: sorted(required), optional: sorted(optional) }).toEqual(
      secretsRead(service),
    );
  });

  test('gets the secrets that it reads from kustomize, out of a secret of its own, and no other', () => {
    const entries = addedEnvironment(service);
    for (const { name, valueFrom } of entries) expect(valueFrom.secretKeyRef.key).toBe(name);
    expect(new Set(entries.map(({ valueFrom }) => valueFrom.secretKeyRef.name))).toEqual(
      new Set([`laurel-${service}`]),
    );
    const named = (optional: boolean) =>
      sorted(
        entries.flatMap(({ name, valueFrom }) =>
          Boolean(valueFrom.secretKeyRef.optional) === optional ? [name] : [],
        ),
      );
    expect({ required: named(false), optional: named(true) }).toEqual(secretsRead(service));
  });

  test('gets the secrets that it reads from docker compose, in a volume of its own, and no other', () => {
    const { environment, volumes } = compose.services[service];
    const files = Object.keys(environment).filter((name) => name.endsWith('_FILE'));
    const given = sorted(files.map((name) => name.replace(/_FILE$/, '')));
    const { required, optional } = secretsRead(service);
    expect(given).toEqual(sorted(SECRETS_OF[service as keyof typeof SECRETS_OF]));
    expect(given).toEqual(expect.arrayContaining(required));
    expect([...required, ...optional]).toEqual(expect.arrayContaining(given));
    expect(volumes).toContain(`secrets-${service}:/secrets:ro`);
    expect(volumes.join()).not.toMatch(/(^|,)secrets:/);
  });

  test('is called by those that know where it is, and by no others', () => {
    const { ingress } = policyOf(service);
    const isGateway = service === 'gateway';
    expect(sorted(inChart(service).calledBy)).toEqual(callersOf(service));
    expect(ingress).toHaveLength(1);
    expect(ingress[0].ports).toEqual([{ port: isGateway ? 'http' : 'grpc' }]);
    if (isGateway) return;
    const [part, name] = ingress[0].from[0].podSelector.matchExpressions;
    expect(part.values).toEqual(['laurel']);
    expect(sorted(name.values)).toEqual(callersOf(service));
  });

  test('has no capabilities under docker compose and cannot gain any', () => {
    expect(compose.services[service]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });
});

describe('the network', () => {
  test('lets nothing in or out but by a rule', () => {
    const { podSelector, policyTypes, ingress, egress } = policyOf('laurel-default-deny');
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(podSelector.matchLabels).toEqual({ 'app.kubernetes.io/part-of': 'laurel' });
    expect([ingress, egress]).toEqual([undefined, undefined]);
  });

  test('lets identity, integrations and passes out into the world, and no others', () => {
    const names = policyOf('laurel-outside').podSelector.matchExpressions[1].values;
    expect(sorted(names)).toEqual(['identity', 'integrations', 'passes']);
    expect(services.filter((service) => inChart(service).reachesOut)).toEqual(sorted(names));
  });

  test('lets no service reach the address where clouds hand out credentials', () => {
    const blocks = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to }: Yaml) => to)
      .flatMap(({ ipBlock }: Yaml) => ipBlock ?? []);
    expect(blocks.length).toBeGreaterThanOrEqual(4);
    for (const { cidr, except } of blocks) {
      if (cidr === '0.0.0.0/0') expect(except).toContain('169.254.0.0/16');
      else
        expect(except.some((range: string) => /^(fd00:ec2::254\/128|fc00::\/7)$/.test(range))).toBe(
          true,
        );
    }
    expect(chart.networkPolicy.outsideExcept).toContain('169.254.0.0/16');
    expect(chart.networkPolicy.outsideExceptIpv6).toContain('fc00::/7');
  });
});

describe('what containers are made of', () => {
  const images = Object.values(compose.services as Record<string, Yaml>).flatMap(
    ({ image }) => image ?? [],
  );

  test('servers are named by their whole version, and a digest can be given', () => {
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/^\w+:\d+\.\d+\.\d+\$\{[A-Z]+_DIGEST:-\}$/);
  });

  test('our own are made from a supported Node.js, named by its whole version, that a digest can replace', () => {
    const dockerfile = read('deploy/Dockerfile');
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-[\w-]+$/m.exec(dockerfile)!;
    expect(Number(major) % 2).toBe(0);
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect(dockerfile.match(/^FROM .*/gm)).toEqual([
      'FROM ${NODE_IMAGE} AS build',
      'FROM ${NODE_IMAGE}',
    ]);
  });

  test.each(['mongo', 'rabbitmq', 'redis'])(
    '%s runs without privileges and wants a password that is in no file of ours',
    (store) => {
      expect(compose.services[store]).toMatchObject({
        user: '999:999',
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(compose.services[store].ports).toBeUndefined();
      expect(JSON.stringify(compose.services[store])).toContain('/secrets/');
      expect(read('docker-compose.yml')).not.toMatch(/guest|:\/\/[^/\s]+:[^/\s]+@/);
    },
  );

  test('mutual TLS is switched on in every service or in none', () => {
    const added = yaml('docker-compose.tls.yml').services;
    expect(sorted(Object.keys(added))).toEqual(services);
    for (const service of services) {
      expect(added[service].environment).toEqual({ RPC_TLS_FOLDER: '/tls' });
      expect(added[service].volumes[0]).toMatch(new RegExp(`/${service}:/tls:ro$`));
    }
  });
});

describe.each(SIZES)('who looks at the metrics of size %s', (size) => {
  const monitoring = [{ namespaceSelector: { matchLabels: { team: 'watch' } } }];
  /** Ways in to the health port: a list of who each is for, null for everybody. */
  const waysIn = (values: Yaml) =>
    renderedChart({ ...sizeValues(size), ...values })
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .flatMap(({ spec }) => spec.ingress ?? [])
      .filter(({ ports = [] }: Yaml) => ports.some(({ port }: Yaml) => port === 'health'))
      .map(({ from = null }: Yaml) => from);

  test('gets in where the chart has Prometheus scrape, and only from there where that is named', () => {
    expect(waysIn({})).toEqual([]);
    expect(waysIn({ serviceMonitor: { enabled: true } })).toEqual([null]);
    const networkPolicy = { metricsFrom: monitoring };
    expect(waysIn({ serviceMonitor: { enabled: true }, networkPolicy })).toEqual([monitoring]);
    expect(waysIn({ networkPolicy })).toEqual([monitoring]);
  });
});

test.each(SIZES)('a way in that a page opens leads to a port of the service in size %s', (size) => {
  const pages = filesBelow(['README.md', 'docs'].map((name) => path.join(ROOT, name)));
  const opened = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => [
      ...readFileSync(page, 'utf8').matchAll(/port-forward service\/(\S+) (?:\d+:)?(\d+) /g),
    ]);
  expect(opened.length).toBeGreaterThan(0);
  const services = renderedChart(sizeValues(size)).filter(({ kind }) => kind === 'Service');
  for (const [, name, port] of opened) {
    const service = services.find(({ metadata }) => metadata.name === name);
    expect(service?.spec.ports.map((one: Yaml) => String(one.port))).toContain(port);
  }
});

test('what stops everything before a restore finds every deployment', () => {
  const asked = /kubectl scale deployment --selector (\S+)=(\S+) /.exec(read('docs/backup.md'));
  const [, label = '', value] = asked ?? [];
  expect(yaml('k8s/service/deployment.yaml').metadata.labels).toMatchObject({ [label]: value });
  expect(read('deploy/helm/laurel/templates/_helpers.tpl')).toContain(`${label}: ${value}`);
});

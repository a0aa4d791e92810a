import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
import { ALERT_CASES } from '../deploy/observability/prometheus/alert-cases.mjs';
import { commandProblem, commandsIn } from './check-document-commands.mjs';
import { renderedChart, SIZES, sizeValues } from './check-manifests.mjs';
import {
  promtoolTests,
  queryProblems,
  readRules,
  runbookProblems,
  seriesIn,
} from './check-observability.mjs';
import { metricsIn, ownMetrics } from './metrics-in-code.mjs';

const alerts = readRules().flatMap(({ alert }) => alert ?? []);

test('a query about a series that no service reports is found, and one that is no PromQL', () => {
  const told = new Set(['known_total']);
  const ask = (query: string) => queryProblems([{ where: 'here', query }], told);
  expect(ask('sum by (a) (rate(known_total{b="c"}[5m]))')).toEqual([]);
  expect(ask('known_total / gone_total')).toEqual(['here: nothing tells gone_total']);
  expect(ask('sum(known_total')).toEqual(['here: not PromQL: sum(known_total']);
});

test('the series of a query are its metrics, not its labels', () => {
  expect(
    seriesIn('max by (queue) (depth{kind="work"}) > 1 and deriv(depth[$__rate_interval]) > 0'),
  ).toEqual(['depth', 'depth']);
});

test('every alert has a world in which it fires, one in which it keeps silent, and a runbook', () => {
  expect(Object.keys(ALERT_CASES).sort()).toEqual([...alerts].sort());
  expect(runbookProblems(readRules())).toEqual([]);
  const { tests } = promtoolTests(readRules());
  for (const alert of alerts) {
    const expected = tests
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length);
    const also = ALERT_CASES[alert]?.also ?? [];
    expect(expected).toEqual([1, 0, ...also.flatMap(() => [1, 0])]);
  }
});

test('an alert without a runbook is found', () => {
  expect(runbookProblems([{ alert: 'Lonely', expr: '1' }])[0]).toMatch(
    /Lonely: runbook_url is not/,
  );
});

test('gauges that every replica reports are never added up', () => {
  const shared =
    /sum[^(]*\((queue_depth|outbox_pending|outbox_lag_seconds|gateway_audit_backlog)\b/;
  expect(readRules().filter(({ expr }) => shared.test(expr))).toEqual([]);
});

/** How Prometheus is set up where there is no operator of it, as the page says: in Kubernetes, and with docker compose. */
const scrapesOfPage: Scrape[] = [
  ...readFileSync(path.join(ROOT, 'deploy/observability/README.md'), 'utf8').matchAll(
    /\n( +scrape_configs:\n(?: +.*\n)+)/g,
  ),
].flatMap(([, block = '']) => parse(block).scrape_configs);

interface Scrape {
  kubernetes_sd_configs?: {
    role: string;
    namespaces: { names: string[] };
    selectors: { role: string; label: string }[];
  }[];
  relabel_configs?: { source_labels: string[]; regex?: string; action?: string }[];
  static_configs?: { targets: string[] }[];
}

describe('who is scraped as the page says', () => {
  test.each(SIZES)('is each pod of the size %s, by its own address', (size) => {
    const [scraped] = scrapesOfPage.flatMap(({ kubernetes_sd_configs: of, relabel_configs }) =>
      of ? [{ found: of, relabel_configs }] : [],
    );
    const [{ role, selectors, namespaces }] = scraped!.found as [
      NonNullable<Scrape['kubernetes_sd_configs']>[number],
    ];
    expect([role, namespaces.names]).toEqual(['pod', ['laurel']]);
    const [label = '', value] = selectors[0]!.label.split('=');
    const dropped = scraped!.relabel_configs!.filter(({ action }) => action === 'drop');
    expect(dropped.map(({ source_labels }) => source_labels)).toEqual([
      ['__meta_kubernetes_pod_phase'],
    ]);
    const ended = new RegExp(`^(?:${dropped[0]!.regex})$`);
    const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];
    expect(phases.filter((phase) => ended.test(phase))).toEqual(['Succeeded', 'Failed']);
    const kept = scraped!.relabel_configs!.find(({ action }) => action === 'keep')!;
    expect(kept.source_labels).toEqual(['__meta_kubernetes_pod_container_port_name']);
    const pods = renderedChart(sizeValues(size)).filter(({ kind }) => kind === 'Deployment');
    expect(pods.length).toBeGreaterThan(0);
    for (const { spec } of pods) {
      expect(spec.template.metadata.labels[label]).toBe(value);
      const ports = spec.template.spec.containers[0].ports as {
        name: string;
        containerPort: number;
      }[];
      expect(ports.filter(({ name }) => name === kept.regex)).toEqual([
        { name: 'health', containerPort: 9090 },
      ]);
    }
  });

  test('is each service of docker compose', () => {
    const targets = scrapesOfPage
      .flatMap(({ static_configs: of = [] }) => of)
      .flatMap((each) => each.targets);
    expect(targets.sort()).toEqual(
      serviceNames()
        .map((name) => `${name}:9090`)
        .sort(),
    );
  });
});

describe('a label that a scrape adds too', () => {
  const ADDED = ['job', 'instance', 'service', 'namespace', 'pod', 'container', 'endpoint'];
  const shared = ownMetrics().filter(({ labels }) => labels.some((one) => ADDED.includes(one)));

  test('stays the own label of a metric where Prometheus is set up as the page says', () => {
    expect(shared.map(({ name }) => name)).toContain('job_runs_total');
    for (const scraped of scrapesOfPage)
      expect(scraped).toMatchObject({ job_name: 'laurel', honor_labels: true });
  });

  test('stays it where the operator of Prometheus scrapes what the chart says', () => {
    const monitor = renderedChart({ serviceMonitor: { enabled: true } }).find(
      ({ kind }) => kind === 'ServiceMonitor',
    )!;
    for (const endpoint of monitor.spec.endpoints) expect(endpoint.honorLabels).toBe(true);
  });
});

test('a metric is read from where it is declared', () => {
  const source = `const x = new Counter({\n  name: 'things_total',\n  help: 'Things.',\n  labelNames: ['kind', 'of'],\n  registers,\n});`;
  expect(metricsIn(source, 'a.ts')).toEqual([
    {
      name: 'things_total',
      kind: 'Counter',
      help: 'Things.',
      labels: ['kind', 'of'],
      file: 'a.ts',
    },
  ]);
});

test('labels that several metrics of a file share are theirs too', () => {
  const source = `const labelNames = ['service', 'job'];\nnew Gauge({\n    name: 'a',\n    help: 'A.',\n    labelNames,\n  });\nnew Counter({\n    name: 'b',\n    help: 'B.',\n    labelNames: [...labelNames, 'outcome'],\n  })`;
  expect(metricsIn(source, 'a.ts').map(({ labels }) => labels)).toEqual([
    ['service', 'job'],
    ['service', 'job', 'outcome'],
  ]);
});

describe('a command in a document', () => {
  const scripts = { events: 'node deploy/local/events.mjs' };
  const read = (file: string) =>
    file === 'deploy/local/events.mjs' ? '// npm run events -- parked\n' : null;
  const problem = (command: string) => commandProblem(command, scripts, read);

  test('is taken from blocks of shell, in one piece', () => {
    expect(commandsIn('a\n```sh\n# why\nnpm run \\\n  events\n```\n```promql\nup\n```\n')).toEqual([
      'npm run    events',
    ]);
  });

  test('exists, with the words behind it', () => {
    expect(problem('npm run events -- parked')).toBeNull();
    expect(problem('kubectl get pods')).toBeNull();
    expect(problem('export SIZE=medium')).toBeNull();
    expect(problem('npm run event')).toMatch(/no script event/);
    expect(problem('npm run events -- drop')).toMatch(/knows no drop/);
    expect(problem('frobnicate')).toMatch(/nobody knows/);
    expect(problem('node deploy/gone.mjs')).toMatch(/does not exist/);
  });
});

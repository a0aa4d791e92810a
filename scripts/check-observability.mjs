// Rules, dashboards and runbooks, held to each other and to the code: what they name exists, what they ask can be
// parsed, each alert fires when it must and only then, and somebody who is woken finds what to do.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse, stringify } from 'yaml';
import { findOnPath } from '../deploy/local/lib/on-path.mjs';
import { LOCAL, ROOT } from '../deploy/local/lib/paths.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { ALERT_CASES } from '../deploy/observability/prometheus/alert-cases.mjs';
import { dashboards, staleDashboards } from './make-dashboards.mjs';
import { ownMetrics, runtimeMetrics, scrapedNames } from './metrics-in-code.mjs';

export const RULES = path.join(ROOT, 'deploy/observability/prometheus/laurel.yaml');
export const RUNBOOKS = path.join(ROOT, 'docs/runbooks');

/** What Prometheus itself, the kubelet and kube-state-metrics tell. */
const FOREIGN = ['up', 'container_memory_working_set_bytes', 'kube_pod_container_resource_limits'];

/** What every runbook answers, in this order. */
export const RUNBOOK_PARTS = ['Meaning', 'Users see', 'First look', 'Safe actions', 'Wake'];

/**
 * @typedef {{ alert?: string, record?: string, expr: string, labels?: Record<string, string>, annotations?: Record<string, string> }} Rule
 */

/** @returns {Rule[]} */
export const readRules = () =>
  parse(readFileSync(RULES, 'utf8')).groups.flatMap(
    (/** @type {{ rules: Rule[] }} */ { rules }) => rules,
  );

/** Grafana puts a duration in its place. @param {string} query */
const asPromql = (query) => query.replaceAll('$__rate_interval', '5m');

/**
 * The names of the series that a query reads; throws where it is no PromQL.
 *
 * @param {string} query
 * @returns {string[]}
 */
export function seriesIn(query) {
  const text = asPromql(query);
  /** @type {string[]} */
  const names = [];
  parser
    .configure({ strict: true })
    .parse(text)
    .iterate({
      enter: ({ name, from, to, node }) => {
        if (name === 'Identifier' && node.parent?.name === 'VectorSelector')
          names.push(text.slice(from, to));
      },
    });
  return names;
}

/**
 * What is wrong with queries: not PromQL, or reading what no service reports.
 *
 * @param {{ where: string, query: string }[]} queries
 * @param {ReadonlySet<string>} reported
 */
export function queryProblems(queries, reported) {
  return queries.flatMap(({ where, query }) => {
    try {
      return seriesIn(query)
        .filter((name) => !reported.has(name))
        .map((name) => `${where}: nothing tells ${name}`);
    } catch {
      return [`${where}: not PromQL: ${query}`];
    }
  });
}

/** @param {Rule[]} rules @returns {string[]} */
export function runbookProblems(rules) {
  const alerts = rules.flatMap(({ alert }) => alert ?? []);
  const without = rules.flatMap(({ alert, annotations }) => {
    if (alert === undefined) return [];
    const place = `docs/runbooks/${alert}.md`;
    if (annotations?.runbook_url !== place) return [`${alert}: runbook_url is not ${place}`];
    if (!existsSync(path.join(ROOT, place))) return [`${place} is missing`];
    const text = readFileSync(path.join(ROOT, place), 'utf8');
    return RUNBOOK_PARTS.filter((part) => !text.includes(`\n## ${part}\n`)).map(
      (part) => `${place} does not say: ${part}`,
    );
  });
  const left = readdirSync(RUNBOOKS)
    .filter((file) => file !== 'README.md' && !alerts.includes(file.replace(/\.md$/, '')))
    .map((file) => `docs/runbooks/${file}: there is no such alert`);
  const uncased = alerts.filter((alert) => !(alert in ALERT_CASES));
  return [...without, ...left, ...uncased.map((alert) => `${alert}: no case in alert-cases.mjs`)];
}

/** What promtool is to try: each alert fires in one world and keeps silent in another, and so for what else it is there for. @param {Rule[]} rules */
export function promtoolTests(rules) {
  return {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: Object.entries(ALERT_CASES).flatMap(([alertname, { also = [], ...first }]) => {
      const rule = rules.find(({ alert }) => alert === alertname);
      return [first, ...also].flatMap(({ at, fires, labels, silent }) => {
        const told = {
          exp_labels: { ...rule?.labels, ...labels },
          exp_annotations: rule?.annotations,
        };
        return [
          { series: fires, exp_alerts: [told] },
          { series: silent, exp_alerts: [] },
        ].map(({ series, exp_alerts }) => ({
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: [{ eval_time: at, alertname, exp_alerts }],
        }));
      });
    }),
  };
}

/** Fails with everything that is wrong. Needs the build. */
export async function checkObservability() {
  const rules = readRules();
  const reported = new Set([
    ...ownMetrics().flatMap(scrapedNames),
    ...runtimeMetrics(),
    ...FOREIGN,
    ...rules.flatMap(({ record }) => record ?? []),
  ]);
  const queries = [
    ...rules.map(({ alert, record, expr }) => ({ where: alert ?? String(record), query: expr })),
    ...Object.entries(dashboards()).flatMap(([name, { panels }]) =>
      panels.flatMap((/** @type {any} */ { title, targets }) =>
        targets.map((/** @type {any} */ { expr }) => ({ where: `${name}: ${title}`, query: expr })),
      ),
    ),
  ];
  const problems = [
    ...queryProblems(queries, reported),
    ...runbookProblems(rules),
    ...staleDashboards().map(
      (name) => `deploy/observability/dashboards/${name}: run node scripts/make-dashboards.mjs`,
    ),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

const promtool = () => process.env.PROMTOOL ?? findOnPath('promtool');

/**
 * Prometheus' own word on the rules, where its tool is to be had.
 *
 * @returns {Promise<{ skipped: string } | undefined>}
 */
export async function checkAlerts() {
  const tool = promtool();
  if (!tool)
    return { skipped: 'there is no promtool (Debian: the package prometheus; or set PROMTOOL)' };
  const folder = path.join(LOCAL, 'observability');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'alerts.test.yaml');
  writeFileSync(file, stringify(promtoolTests(readRules())));
  await run(tool, ['check', 'rules', '--lint=all', '--lint-fatal', RULES]);
  await run(tool, ['test', 'rules', file]);
  return undefined;
}

// Which metrics there are: as the code declares them, each with its kind, labels and what it says.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { filesBelow } from '../deploy/local/lib/stamps.mjs';

/**
 * @typedef {{ name: string, kind: 'Gauge' | 'Counter' | 'Histogram', help: string, labels: string[], file: string }} Metric
 */

const DECLARED = /new (Gauge|Counter|Histogram)\(\{([\s\S]*?)\n\s*\}\)/g;

/**
 * @param {string} source
 * @param {string} file
 * @returns {Metric[]}
 */
export function metricsIn(source, file) {
  return [...source.matchAll(DECLARED)].map(([, kind, body = '']) => ({
    name: /name:\s*'([^']+)'/.exec(body)?.[1] ?? '',
    kind: /** @type {Metric['kind']} */ (kind),
    help: /help:\s*['"]([^\n]+)['"],/.exec(body)?.[1] ?? '',
    labels: labelsIn(body, source),
    file,
  }));
}

/**
 * The labels of one declaration; a file may name those that several share once, as `const labelNames`.
 *
 * @param {string} body
 * @param {string} source
 * @returns {string[]}
 */
function labelsIn(body, source) {
  const own = /labelNames:\s*\[([^\]]*)\]/.exec(body)?.[1] ?? '';
  const areShared = own.includes('...labelNames') || /^\s*labelNames,$/m.test(body);
  const shared = areShared ? (/const labelNames = \[([^\]]*)\]/.exec(source)?.[1] ?? '') : '';
  return [...`${shared} ${own}`.matchAll(/'([^']+)'/g)].map(([, label]) => String(label));
}

/** Every metric of Laurel's own, by name. @returns {Metric[]} */
export function ownMetrics() {
  return filesBelow(['packages', 'services'].map((folder) => path.join(ROOT, folder)))
    .filter((file) => /\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => metricsIn(readFileSync(file, 'utf8'), path.relative(ROOT, file)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What prom-client tells of every Node.js process; it needs the build. @returns {string[]} */
export function runtimeMetrics() {
  const { metrics } = createRequire(import.meta.url)(
    path.join(ROOT, 'packages/lifecycle/dist/index.js'),
  );
  return metrics.registry
    .getMetricsAsArray()
    .map((/** @type {{ name: string }} */ one) => one.name);
}

/** The names under which a metric is scraped. @param {Pick<Metric, 'name' | 'kind'>} metric */
export const scrapedNames = ({ name, kind }) =>
  kind === 'Histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];

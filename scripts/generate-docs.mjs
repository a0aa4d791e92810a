// npm run docs: writes the documents that are made from the code, so that they cannot say anything else.
// With --check it writes nothing and fails where a committed document differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { helpIfAsked } from '../deploy/local/lib/help.mjs';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
import { grownOf, placedIn, renderGrowth } from './growth.mjs';
import { ownMetrics } from './metrics-in-code.mjs';
import { reasonsOfOperations, renderReasons } from './trace-reasons.mjs';

helpIfAsked();

const load = createRequire(import.meta.url);

/** @param {string} file */
const built = (file) => load(path.join(ROOT, file));

/** @returns {Record<string, string>} document name -> text */
export function renderDocuments() {
  const { renderEventsMarkdown } = built('packages/events/dist/index.js');
  /** @param {unknown} value */
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    '../services/gateway/src/openapi/reasons.json': renderReasons(reasonsOfOperations()),
    'openapi.json': json(built('services/gateway/dist/openapi.json')),
    'asyncapi.json': json(built('services/gateway/dist/asyncapi.json')),
    'events.md': renderEventsMarkdown(),
    'errors.md': renderErrors(),
    'config.md': renderConfig(),
    'metrics.md': renderMetrics(),
    'scaling.md': renderScaling(),
  };
}

function renderConfig() {
  const { describeSecrets, describeSettings } = built('packages/config/dist/index.js');
  const declared = Object.fromEntries(
    serviceNames().map((name) => [name, built(`services/${name}/dist/index.js`).settings]),
  );
  const secrets = `## Secrets\n\n${describeSecrets(declared)}\n`;
  const opening =
    'Made by `npm run docs` from each service’s `src/config.ts`. Every setting comes from the environment; any of them may\n' +
    'come from a file instead, named by the same variable with `_FILE` behind it. A bad value stops the start, all bad ones named at once.';
  return ['# Settings', '', opening, '', secrets, describeSettings(declared)].join('\n');
}

/** A document by hand, but for its table of collections. */
function renderScaling() {
  const { everyIndex } = built('packages/backend/dist/indexes.js');
  const everywhere = grownOf('every service', everyIndex([]));
  const shared = new Set(everywhere.map(({ collection }) => collection));
  const own = serviceNames().flatMap((name) => {
    const { indexes = [] } = built(`services/${name}/dist/index.js`);
    return grownOf(name, indexes).filter(({ collection }) => !shared.has(collection));
  });
  const made = renderGrowth([...everywhere, ...own]);
  return placedIn(readFileSync(path.join(ROOT, 'docs', 'scaling.md'), 'utf8'), made);
}

function renderMetrics() {
  const opening =
    'Made by `npm run docs` from where the code declares them. Each process tells its own at `/metrics` of its health port, besides those of\n' +
    'Node.js (`process_*`, `nodejs_*`). Several replicas report one queue or outbox: read gauges with `max by`, never with `sum`. No label names a tenant.';
  const rows = ownMetrics().map(
    ({ name, kind, labels, help }) =>
      `| \`${name}\` | ${kind.toLowerCase()} | ${labels.join(', ')} | ${help} |`,
  );
  const head = ['| metric | kind | labels | meaning |', '|---|---|---|---|'];
  return ['# Metrics', '', opening, '', ...head, ...rows, ''].join('\n');
}

function renderErrors() {
  const { platform } = built('packages/errors/dist/index.js');
  const sections = [errorTable('Everywhere', platform)];
  for (const name of serviceNames()) {
    const file = `services/${name}/dist/refusals.js`;
    if (existsSync(path.join(ROOT, file)))
      sections.push(errorTable(name, built(file).refusals ?? {}));
  }
  const opening =
    'Made by `npm run docs` from the catalogues of refusals. An answer may name its case more exactly than the sentence here, and\n' +
    'fills what stands in braces; code, status and `extensions.reason` are what a program goes by. Transient: the same call may\n' +
    'succeed later.';
  return ['# Errors', '', opening, '', ...sections.filter(Boolean)].join('\n');
}

/**
 * @param {string} title
 * @param {Readonly<Record<string, import('../packages/errors/dist/refusal.js').DefinedRefusal>>} catalogue
 */
function errorTable(title, catalogue) {
  const rows = Object.values(catalogue).map((refuse) => {
    const { code, httpStatus, message, transient } = refuse.definition;
    const [problem] = refuse().problems;
    const reason = problem?.extensions?.reason;
    const cells = [httpStatus, `\`${code}\``, reason ? `\`${reason}\`` : '', message];
    return `| ${[...cells, transient ? 'yes' : ''].join(' | ')} |`;
  });
  if (rows.length === 0) return '';
  return [
    `## ${title}`,
    '',
    '| status | code | reason | meaning | transient |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Names the committed documents that the code would no longer make. */
export function staleDocuments() {
  return Object.entries(renderDocuments())
    .filter(([name, text]) => {
      const file = path.join(ROOT, 'docs', name);
      return !existsSync(file) || readFileSync(file, 'utf8') !== text;
    })
    .map(([name]) => path.join('docs', name));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--check')) {
    const stale = staleDocuments();
    if (stale.length > 0) {
      process.stderr.write(`out of date, run npm run docs: ${stale.join(', ')}\n`);
      process.exitCode = 1;
    }
  } else {
    for (const [name, text] of Object.entries(renderDocuments()))
      writeFileSync(path.join(ROOT, 'docs', name), text);
  }
}

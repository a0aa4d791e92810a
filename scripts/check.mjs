// npm run check: everything about the code that can be known without running it.
//
//   npm run check -- types 'lint and format'   only these
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { helpIfAsked } from '../deploy/local/lib/help.mjs';
import { LOCAL, ROOT } from '../deploy/local/lib/paths.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { filesBelow } from '../deploy/local/lib/stamps.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
import { checkCompatibility } from './check-compatibility.mjs';
import { checkDocumentedCommands } from './check-document-commands.mjs';
import { checkManifests } from './check-manifests.mjs';
import { checkAlerts, checkObservability } from './check-observability.mjs';
import { collectionViolations } from './collection-rules.mjs';
import { renderDocuments, staleDocuments } from './generate-docs.mjs';
import { habitViolations } from './habit-rules.mjs';
import { checkHouseRules } from './house-rules.mjs';
import { layoutViolations, tidyViolations } from './import-rules.mjs';
import { sandboxViolations } from './sandbox-rules.mjs';
import { sentenceViolations } from './sentence-rules.mjs';
import { unitOfWorkViolations } from './unit-of-work-rules.mjs';
import { vocabularyViolations } from './vocabulary-rules.mjs';

helpIfAsked();

/** @param {string} name */
const tool = (name) => path.join(ROOT, 'node_modules/.bin', name);

/**
 * Each resolves when all is well, with `skipped` where it could not be made at all, and fails with what is wrong.
 *
 * @type {{ name: string, check: () => Promise<unknown> }[]}
 */
const CHECKS = [
  { name: 'types', check: () => typeCheck('tsconfig.check.json') },
  // What runs in browsers: other globals, other module rules.
  {
    name: 'types of the enrollment page',
    check: () => typeCheck('packages/enrollment-page/tsconfig.check.json'),
  },
  ...['page-kit', 'account-page', 'docs-page', 'till-page', 'console-page'].map((name) => ({
    name: `types of the ${name.replace('-', ' ')}`,
    check: () => typeCheck(`packages/${name}/tsconfig.check.json`),
  })),
  // Plain ES modules, because they run before anything is built; typed by JSDoc.
  { name: 'types of scripts', check: () => typeCheck('tsconfig.scripts.json') },
  // It runs in browsers: other libraries, another module kind.
  {
    name: 'types of the portal page',
    check: () => typeCheck('packages/portal-page/tsconfig.check.json'),
  },
  {
    name: 'lint and format',
    check: () =>
      run(tool('biome'), ['check', '--colors=off', '--max-diagnostics=100', '.'], { cwd: ROOT }),
  },
  { name: 'import rules and tidiness', check: checkSources },
  { name: 'house rules', check: checkHouseRules },
  {
    name: 'unused files and exports',
    check: () =>
      run(
        tool('knip'),
        ['--include', 'files,exports,types', '--no-progress', '--no-config-hints'],
        {
          cwd: ROOT,
        },
      ),
  },
  { name: 'deployment manifests', check: checkManifests },
  { name: 'rules, dashboards and runbooks', check: checkObservability },
  { name: 'alerts by promtool', check: checkAlerts },
  { name: 'commands in documents', check: checkDocumentedCommands },
  { name: 'compatibility with the last release', check: checkCompatibility },
  { name: 'generated documents', check: checkDocuments },
  { name: 'lint of the API document', check: lintApiDocument },
];

/** @param {unknown} outcome @returns {string | null} why a check was not made */
const skippedFor = (outcome) =>
  typeof outcome === 'object' && outcome !== null && 'skipped' in outcome
    ? String(outcome.skipped)
    : null;

/** @param {string} project */
const typeCheck = (project) =>
  run(tool('tsc'), ['--project', project, '--pretty', 'false'], { cwd: ROOT });

/** What is built, by the rules of redocly and spectral: neither may find anything. */
async function lintApiDocument() {
  const file = path.join(LOCAL, 'lint/openapi.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, renderDocuments()['openapi.json']);
  const redocly = ['lint', file, '--config', '.redocly.lint.yaml', '--format', 'stylish'];
  const spectral = ['lint', file, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'];
  // Neither may ask the network for a newer version of itself.
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };
  await Promise.all([
    run(tool('redocly'), redocly, { cwd: ROOT, env }),
    run(tool('spectral'), [...spectral, '--quiet'], { cwd: ROOT, env }),
  ]);
}

/** Compares with what is built, so build before you check. */
async function checkDocuments() {
  const stale = staleDocuments();
  if (stale.length > 0) throw new Error(`${stale.join(', ')}: out of date; run npm run docs`);
}

async function checkSources() {
  const services = new Set(serviceNames());
  const folders = ['packages', 'services', 'deploy', 'scripts', 'e2e', 'tools'];
  const sources = filesBelow(folders.map((name) => path.join(ROOT, name)))
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .map((file) => ({
      file: path.relative(ROOT, file).split(path.sep).join('/'),
      source: readFileSync(file, 'utf8'),
    }));
  const violations = sources.flatMap(({ file, source }) => [
    ...layoutViolations(file, source, services),
    ...tidyViolations(file, source),
    ...habitViolations(file, source),
  ]);
  violations.push(
    ...collectionViolations(sources),
    ...unitOfWorkViolations(sources),
    ...sandboxViolations(sources),
    ...sentenceViolations(sources),
    ...vocabularyViolations(sources),
  );
  if (violations.length > 0) throw new Error(violations.join('\n'));
}

/**
 * Runs every check, or those of some names, also after one that failed, and says how each went.
 *
 * @param {readonly string[]} [names]
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks(names) {
  const result = { passed: 0, failed: 0 };
  for (const { name, check } of CHECKS) {
    if (names?.includes(name) === false) continue;
    try {
      const skipped = skippedFor(await check());
      if (skipped === null) result.passed += 1;
      process.stdout.write(skipped === null ? `✓ ${name}\n` : `- ${name}: skipped, ${skipped}\n`);
    } catch (error) {
      result.failed += 1;
      process.stdout.write(`✗ ${name}\n${/** @type {Error} */ (error).message}\n`);
    }
  }
  return result;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    const known = CHECKS.map(({ name }) => `  ${name}`).join('\n');
    process.stderr.write(`no check is called ${unknown.join(', ')}; there are\n${known}\n`);
    process.exit(1);
  }
  const { failed } = await runChecks(names.length > 0 ? names : undefined);
  process.exitCode = failed > 0 ? 1 : 0;
}

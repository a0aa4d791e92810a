import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { renderedChart } from '../scripts/check-manifests.mjs';
import { ROOT } from './local/lib/paths.mjs';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { version, appVersion } = parse(read('deploy/helm/laurel/Chart.yaml'));
const BASE = 'k8s/base';

/** What a step leaves for those after it, as the runner of a release would play it. */
function outputsOf(script: string, env: Record<string, string>): Record<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-release-'));
  const GITHUB_OUTPUT = path.join(folder, 'output');
  try {
    execFileSync('bash', ['-ec', script], {
      env: { PATH: process.env.PATH, GITHUB_OUTPUT, ...env },
    });
    const lines = readFileSync(GITHUB_OUTPUT, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an image of a release is named as the chart asks for it', () => {
  const { steps } = parse(read('.github/workflows/release.yml')).jobs.images;
  const find = (id: string) => steps.find((step: { id?: string }) => step.id === id);
  const script = find('name').run.replaceAll('${{ matrix.service }}', 'ledger');
  const outputs = outputsOf(script, {
    GITHUB_REPOSITORY: 'Somebody/Laurel',
    GITHUB_REF_NAME: `v${version}`,
  });
  const tags = find('build').with.tags.replaceAll(
    /\$\{\{ steps\.name\.outputs\.(\w+) \}\}/g,
    (_: string, name: string) => outputs[name],
  );
  const repository = 'ghcr.io/somebody/laurel';
  const wanted = renderedChart({ image: { repository } })
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'ledger')
    .map(({ spec }) => spec.template.spec.containers[0].image);
  expect(wanted).toEqual([tags]);
});

test('chart and overlays roll out one version', () => {
  expect(appVersion).toBe(version);
  const tags = readdirSync(path.join(ROOT, BASE), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parse(read(`${BASE}/${name}/kustomization.yaml`)).images[0].newTag);
  expect(tags.length).toBeGreaterThan(0);
  expect(new Set(tags.map(String))).toEqual(new Set([version]));
});

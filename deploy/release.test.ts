import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { renderedChart, SIZES, sizeValues } from '../scripts/check-manifests.mjs';
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

test('the images that README builds and pushes are those that the chart asks for in any size', () => {
  const readme = read('README.md');
  const [, block = ''] = /\n( {4}REGISTRY=(?:.*\n)+?)\n/.exec(readme)!;
  const [, yours = ''] = /\n( {4}image: \{(?:.*\n)+?)\n/.exec(readme)!;
  const typed = `docker() { echo "$@"; }\n${block}`;
  const said = execFileSync('bash', ['-euc', typed], { cwd: ROOT, encoding: 'utf8' });
  const named = (pattern: RegExp) => [...said.matchAll(pattern)].map(([, name]) => name).sort();
  const wanted = SIZES.flatMap((size) => renderedChart({ ...sizeValues(size), ...parse(yours) }))
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.spec.containers[0].image);
  expect(named(/^push (\S+)$/gm)).toEqual([...new Set(wanted)].sort());
  expect(named(/^build .* -t (\S+) \.$/gm)).toEqual(named(/^push (\S+)$/gm));
});

test('what README gives the overlay are the images that it builds and pushes', () => {
  const readme = read('README.md');
  const [, registry] = /^ {4}REGISTRY=(\S+)$/m.exec(readme)!;
  const [, entry = ''] = /`- (\{ name: laurel\/ledger, .*?\})`/.exec(readme)!;
  expect(parse(entry)).toEqual({
    name: parse(read(`${BASE}/ledger/kustomization.yaml`)).images[0].newName,
    newName: `${registry}/ledger`,
    newTag: '<VERSION>',
  });
});

test('chart and overlays roll out one version', () => {
  expect(appVersion).toBe(version);
  const tags = readdirSync(path.join(ROOT, BASE), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parse(read(`${BASE}/${name}/kustomization.yaml`)).images[0].newTag);
  expect(tags.length).toBeGreaterThan(0);
  expect(new Set(tags.map(String))).toEqual(new Set([version]));
});

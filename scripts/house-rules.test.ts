import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { houseViolations } from './house-rules.mjs';

const root = mkdtempSync(path.join(tmpdir(), 'house-rules-'));
const RULES = 'scripts/house-rules.biome.json';
cpSync(path.join(ROOT, RULES), path.join(root, RULES));
afterAll(() => rmSync(root, { recursive: true }));

function plant(file: string, source: string): void {
  const place = path.join(root, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, source);
}
const lines = (count: number) => Array.from({ length: count }, (_, at) => `  seen.push(${at});\n`);

test('a long function, a fourth parameter and a circle of types are refused, each where it stands', async () => {
  plant(
    'services/things/src/use-cases/make-thing.ts',
    `export function makeThing(seen: number[]): void {\n${lines(61).join('')}}\n`,
  );
  plant(
    'packages/things/src/thing.ts',
    'export const thing = (a: string, b: string, c: string, d: string) => a + b + c + d;\n',
  );
  plant(
    'packages/things/src/one.ts',
    "import type { Other } from './other';\nexport interface One { other: Other }\n",
  );
  plant(
    'packages/things/src/other.ts',
    "import type { One } from './one';\nexport interface Other { one: One }\n",
  );

  const violations = await houseViolations(root);

  expect(violations).toEqual([
    expect.stringMatching(/^packages\/things\/src\/one\.ts:1: .*cycle/),
    expect.stringMatching(/^packages\/things\/src\/other\.ts:1: .*cycle/),
    expect.stringMatching(/^packages\/things\/src\/thing\.ts:1: .*4 parameters/),
    expect.stringMatching(/^services\/things\/src\/use-cases\/make-thing\.ts:1: .*too many lines/),
  ]);
});

test('tests may be as long as what they tell, and a screen is markup for the most part', async () => {
  rmSync(path.join(root, 'services'), { recursive: true, force: true });
  rmSync(path.join(root, 'packages'), { recursive: true, force: true });
  const long = `export function long(seen: number[]): void {\n${lines(61).join('')}}\n`;
  plant('services/things/src/use-cases/make-thing.test.ts', long);
  plant('packages/things-page/src/screen.tsx', long);

  expect(await houseViolations(root)).toEqual([]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readProgramme } from './files';
import type { Body } from './kinds';
import type { Found } from './live';
import { takeOver } from './take-over';
import { contentsOf, readTexts } from './texts';

const WRITTEN = `# What points buy.
rewards:
  coffee:
    name: Free coffee   # hot
    cost_in_points: 50
    visibility_tiers: [regular,  friend]
  cake: { name: Birthday cake, cost_in_points: 0, wallet_type: beans, purchasable: false, active: true, usage_limit: 5 }
  tea:
    name: Tea
    description: >-
      In two
      lines
`;
const wantedIn = (place: string) => readProgramme(contentsOf(readTexts(place), {}));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-take-over-'));
  writeFileSync(path.join(folder, 'rewards.yaml'), WRITTEN);
});
afterEach(() => rmSync(folder, { recursive: true }));

function taken(key: string, body: Body): string {
  const wanted = wantedIn(folder);
  const said = wanted.find((one) => one.key === key)!;
  const live = { ...said.body, ...body };
  const found = [
    { kind: 'rewards', key, id: 'an id', etag: null, body: live },
  ] as unknown as Found[];
  takeOver(folder, `rewards/${key}`, { wanted, found });
  return readFileSync(path.join(folder, 'rewards.yaml'), 'utf8');
}

test.each<[string, Body, string, string]>([
  ['coffee', { cost_in_points: 40 }, 'points: 50', 'points: 40'],
  ['coffee', { name: 'Coffee: free' }, 'Free coffee   #', '"Coffee: free"   #'],
  ['coffee', { visibility_tiers: ['gold', 'a, b'] }, '[regular,  friend]', '[gold, "a, b"]'],
  ['cake', { name: 'Cake, small' }, 'Birthday cake', '"Cake, small"'],
  [
    'cake',
    { cost_in_points: 5, active: false },
    '0, wallet_type: beans, purchasable: false, active: true',
    '5, wallet_type: beans, purchasable: false, active: false',
  ],
])('of %s %j is all that changes in the file', (key, body, before, after) => {
  expect(taken(key, body)).toBe(WRITTEN.replace(before, after));
});

test('what has lines of its own is written anew, and says what it is to say', () => {
  taken('tea', { description: 'In one line', name: 'Green tea' });
  const tea = wantedIn(folder).find(({ key }) => key === 'tea')!;
  expect(tea.body).toMatchObject({ name: 'Green tea', description: 'In one line' });
});

import { countsOfChaos, raised, shortfalls, timesOf } from './floors.mjs';

const FLOORS = {
  stages: { unit: { tests: 10, suites: 3 }, integration: { tests: 5, suites: 2 } },
  mayBeSkipped: ['packages/engine/'],
};
const outcome = (stage: string, more: object = {}) => ({
  stage,
  passed: stage === 'unit' ? 10 : 5,
  failed: 0,
  suites: stage === 'unit' ? 3 : 2,
  skipped: [] as string[],
  seconds: 1,
  files: [],
  ...more,
});
const all = { wanted: ['unit', 'integration'], isWhole: true, floors: FLOORS };
const some = { ...all, isWhole: false };

test('a run that did all that is asked for falls short of nothing', () => {
  expect(shortfalls([outcome('unit'), outcome('integration')], all)).toEqual([]);
});

test('a run without a folder of tests is red', () => {
  const unit = outcome('unit', { passed: 7, suites: 2 });
  expect(shortfalls([unit, outcome('integration')], all)).toEqual([
    'unit: 7 tests, there were 10',
    'unit: 2 test files, there were 3',
  ]);
});

test('a stage that tested nothing is red, also where only some files were named', () => {
  const nothing = outcome('unit', { passed: 0, suites: 0 });
  expect(shortfalls([nothing], some)).toEqual(['unit: not one test ran']);
  expect(shortfalls([], all)).toEqual([
    'unit: did not run',
    'integration: did not run',
    'nothing was tested',
  ]);
  expect(shortfalls([outcome('integration')], all)).toEqual(['unit: did not run']);
});

test('a skipped test is red and named, unless its file needs what not every machine has', () => {
  const skipped = ['services/ledger/src/a.test.ts: keeps money'];
  expect(shortfalls([outcome('unit', { skipped })], some)).toEqual([
    'unit: skipped services/ledger/src/a.test.ts: keeps money',
  ]);
  const allowed = outcome('unit', {
    passed: 9,
    skipped: ['packages/engine/src/a.test.ts: speaks'],
  });
  expect(shortfalls([allowed, outcome('integration')], all)).toEqual([]);
  const [, unasked] = shortfalls([{ ...allowed, skipped }, outcome('integration')], all);
  expect(unasked).toBe('unit: 9 tests, there were 10');
});

test('a stage in which a process ended by itself is red, though all of its tests passed', () => {
  const deaths = ['ledger (pid 7) ended unexpectedly; starting it again'];
  const integration = outcome('integration', { deaths });
  expect(shortfalls([outcome('unit'), integration], all)).toEqual([`integration: ${deaths[0]}`]);
  expect(shortfalls([integration], some)).toEqual([`integration: ${deaths[0]}`]);
});

test('chaos is red by each thing it found, and where it ends badly after a report of none', () => {
  const fine = { rows: [{ violations: [] }, { violations: [] }], missed: [], unproven: [] };
  expect(countsOfChaos(fine, 0)).toEqual({ passed: 2, failed: 0 });
  expect(countsOfChaos(fine, 1)).toEqual({ passed: 2, failed: 1 });
  const rows = [{ violations: [] }, { violations: ['H1', 'H1'] }];
  const found = { rows, missed: ['balance'], unproven: ['H5', 'H9'] };
  expect(countsOfChaos(found, 1)).toEqual({ passed: 1, failed: 4 });
});

test('tests that failed have run: they count towards the floor, and fail by themselves', () => {
  const unit = outcome('unit', { passed: 8, failed: 2 });
  expect(shortfalls([unit, outcome('integration')], all)).toEqual([]);
});

test('some named files are held to no floor', () => {
  expect(shortfalls([outcome('unit', { passed: 1, suites: 1 })], some)).toEqual([]);
});

test('a run above the floors says how they can be raised', () => {
  expect(raised([outcome('unit')], FLOORS)).toBeNull();
  expect(raised([outcome('unit', { passed: 12 })], FLOORS)).toEqual({
    unit: { tests: 12, suites: 3 },
  });
});

test('the report names the seconds of the stages and the ten slowest files, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ file: `${index}`, seconds: index }));
  const lines = timesOf(
    [outcome('unit', { files: files.slice(6) }), outcome('e2e', { files })],
    [
      { stages: ['checks', 'unit'], cpuSeconds: 2.4 },
      { stages: ['e2e'], cpuSeconds: 3 },
    ],
    ['11'],
  );
  expect(lines[0]).toBe('Stages: unit 1 s, e2e 1 s');
  expect(lines[1]).toBe('Processors: checks with unit 2 s, e2e 3 s');
  expect(lines).toHaveLength(13);
  expect(lines.slice(3, 6)).toEqual([
    '    11.0 s  11',
    '    11.0 s  11',
    '    10.0 s  10 (not in deploy/local/slow-tests.json)',
  ]);
});

import { habitViolations } from './habit-rules.mjs';

const FILE = 'services/things/src/use-cases/make-thing.ts';
const found = (source: string, file = FILE) => habitViolations(file, source);

test.each([
  'ask().catch(() => undefined);',
  'ask().catch(() => {});',
  'ask().catch((_error) => { });',
  'ask().catch(async () => undefined);',
  'ask().then(\n  (answer) => take(answer),\n  () => undefined,\n);',
  'try { ask(); } catch {}',
  'try { ask(); } catch (error) {\n}',
])('an error without a name is not swallowed: %s', (source) => {
  expect(found(source)).toEqual([expect.stringContaining('swallows an error')]);
  expect(found(source, 'services/things/src/use-cases/make-thing.test.ts')).toEqual([]);
});

test.each([
  "ask().catch(mayFail('the next one asks again'));",
  'ask().catch(endedAlready);',
  'ask().catch(() => null);',
  'ask().then((answer) => take(answer));',
  'ask().then(() => undefined);',
  'try { ask(); } catch { return null; }',
])('an error that is answered, or passed over by name, is no fault: %s', (source) => {
  expect(found(source)).toEqual([]);
});

test.each([
  'function again(): void { setTimeout(() => void work().then(() => again()), 1_000); }',
  'function again(): void { setTimeout(again, 1_000); }',
  'const again = () => setTimeout(again, 1_000);',
  'const again = async () => { await work(); globalThis.setTimeout(() => void again(), 1_000); };',
  'class Loop { again() { setTimeout(() => this.again(), 1_000); } }',
  'class Loop { again = () => { setTimeout(this.again, 1_000); }; }',
])('a timer that arms itself again is a loop by hand: %s', (source) => {
  expect(found(source)).toEqual([expect.stringContaining('arms again again')]);
  expect(found(source, 'packages/work/src/loop.ts')).toEqual([]);
});

test('a timer that ends a wait is no loop', () => {
  expect(
    found('function within(ms: number) { return new Promise((end) => setTime' + 'out(end, ms)); }'),
  ).toEqual([]);
});

test.each([
  ['services/things/src/use-cases/tier-helper.ts', ''],
  ['services/things/src/utils/thing.ts', ''],
  ['services/things/src/store/common.ts', ''],
  ['services/things/src/store/data.test.ts', ''],
  ['tools/probes/makers/info.mjs', ''],
  [FILE, 'export class ThingManager {}'],
  [FILE, 'function thingUtil(): void {}'],
  [FILE, 'export const common = {};'],
  [FILE, 'export async function handle(): Promise<void> {}'],
])('a name that says nothing is refused: %s %s', (file, source) => {
  expect(found(source, file)).toEqual([expect.stringContaining('says nothing of it')]);
});

test.each([
  ['services/things/src/domain/data-model.ts', ''],
  ['services/things/src/use-cases/process-message.ts', ''],
  [FILE, 'export function handleThing(): void {\n  const common = 1;\n}'],
  [FILE, 'export interface Process {}'],
])('a name with an object is one: %s %s', (file, source) => {
  expect(found(source, file)).toEqual([]);
});

const TEST_FILE = 'services/things/src/make-thing.test.ts';

test.each([
  'jest.setTime' + 'out(30_000);',
  "test('a thing is made', async () => {\n}, 20_" + '000);',
])('a test has no less time than all have: %s', (source) => {
  expect(found(source, TEST_FILE)).toEqual([expect.stringContaining('less than all have')]);
  expect(found(source)).toEqual([]);
});

test.each(['jest.setTimeout(300_000);', 'setInterval(() => {\n}, 1_000);', '}, 180_000);'])(
  'a test may have more time, and timers of its own: %s',
  (source) => {
    expect(found(source, TEST_FILE)).toEqual([]);
  },
);

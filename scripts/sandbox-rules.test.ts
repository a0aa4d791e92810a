import { sandboxViolations } from './sandbox-rules.mjs';

const follows = {
  file: 'services/things/src/service.ts',
  source: 'start({ followsSandboxes: true });',
};
const found = (file: string, source: string, service = follows) =>
  sandboxViolations([service, { file: `services/things/src/${file}`, source }]);

test('a use case of a service that follows sandboxes does not ask the clock of the machine', () => {
  const source = 'const make = () => rows.insert({ at: new Date() });';
  expect(found('use-cases/make-thing.ts', source)).toEqual([
    expect.stringContaining('use-cases/make-thing.ts: asks the clock of the machine'),
  ]);
  expect(found('use-cases/make-thing.int.test.ts', source)).toEqual([]);
  expect(found('use-cases/make-thing.ts', 'const at = new Date(row.at);')).toEqual([]);
});

test.each([
  "const end: PieceJob<Thing> = { name: 'end-things', due: deps.things.due, ...ROOM, leaseMs, work: end };",
  "export const jobs = (deps: Deps) => [{ name: 'end-things', due: deps.things.due, work: () => endThings(deps) }];",
])('a job that no clock is given to is never due in a sandbox, and refused: %s', (source) => {
  expect(found('jobs.ts', source)).toEqual([
    expect.stringContaining('has a job (end-things) without a clock'),
  ]);
  expect(found('jobs.ts', source.replace('due:', 'clock: deps.clock, due:'))).toEqual([]);
});

test('a job that runs every so often, and a service without sandboxes, need no clock', () => {
  const sweep = "const jobs = [{ name: 'sweep', every: 1_000, work: () => sweep(deps) }];";
  expect(found('jobs.ts', sweep)).toEqual([]);
  const due = "const jobs = [{ name: 'end-things', due: deps.things.due, work: end }];";
  expect(found('jobs.ts', due, { ...follows, source: 'start({});' })).toEqual([]);
});

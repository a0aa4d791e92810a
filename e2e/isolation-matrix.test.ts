import { readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@laurel/testing';
import { createHttp } from '../tools/lib/raw-http.mjs';
import { CASES, createMatrix, type Finding, inParallel } from '../tools/probes/matrix.mjs';
import { operationsOf } from '../tools/probes/operations.mjs';
import { openSink } from '../tools/probes/sink.mjs';
import { call, gateways } from './support/api';

// A quarter of a minute and the wait for a checkpoint; much longer on a machine that is busy with other things.
jest.setTimeout(600_000);

const EXPECTED: Record<string, string> = JSON.parse(
  readFileSync(path.join(__dirname, '../tools/probes/expected.json'), 'utf8'),
);
const SCOPES: Record<string, string> = JSON.parse(
  readFileSync(path.join(__dirname, '../tools/probes/scopes.json'), 'utf8'),
);
const FLOORS: { operations: number } = JSON.parse(
  readFileSync(path.join(__dirname, '../deploy/local/floors.json'), 'utf8'),
);
/** Made once a minute: it is there when everything else is done. */
const LAST = /checkpoints/;
/** What shows that it is on its way until a phone or a receiver has it. */
const SENT_LATER = ['GET :ws/pushes', 'GET :ws/webhooks/{id}/deliveries'];

const http = createHttp(gateways(), 16);
let outside: Awaited<ReturnType<typeof openSink>>;
beforeAll(async () => {
  outside = await openSink();
});
afterAll(() => {
  http.close();
  outside.close();
});

/** Operations downwards, cases to the right: the number of requests, and how many of them are open. */
function tableOf(findings: readonly Finding[]): string {
  const operations = [...new Set(findings.map(({ operation }) => operation))];
  const cell = (operation: string, name: string) => {
    const own = findings.filter((each) => each.operation === operation && each.case === name);
    const open = own.filter(({ problem }) => problem !== null).length;
    return own.length === 0 ? '-' : open > 0 ? `${open} OPEN` : String(own.length);
  };
  const lines = operations.map((operation) =>
    [operation.padEnd(82), ...CASES.map((name) => cell(operation, name).padEnd(16))].join(' '),
  );
  const open = findings.filter(({ problem }) => problem !== null).length;
  return [
    ['operation'.padEnd(82), ...CASES.map((name) => name.padEnd(16))].join(' '),
    ...lines,
    `${operations.length} operations, ${findings.length} cases, ${open} open`,
  ].join('\n');
}

test('no caller gets through a door that is not theirs, nor at a row of another workspace', async () => {
  const operations = operationsOf((await call('GET', '!/openapi.json')).body);
  const matrix = await createMatrix({
    http,
    outside: outside.url,
    operations,
    expected: EXPECTED,
    scopes: SCOPES,
  });
  await matrix.furnish();
  let before = await matrix.digestOfB();
  // What is still at work in B when it is made is no effect of what follows.
  await until(
    async () => {
      const seen = before;
      before = await matrix.digestOfB();
      const isSending = SENT_LATER.some((id) => before[id]?.includes('"status":"pending"'));
      return !isSending && Object.keys(before).every((id) => before[id] === seen[id]);
    },
    // Two looks that follow at once see the same where the machine stands still between them.
    { withinMs: 240_000, everyMs: 1_000, what: 'the other workspace at rest' },
  );

  const findings: Finding[] = [];
  const gather = async (operation: (typeof operations)[number]) => {
    findings.push(...(await matrix.check(operation)));
  };
  await inParallel(
    operations.filter(({ id }) => !LAST.test(id)),
    gather,
  );
  const after = await matrix.digestOfB();
  await inParallel(
    operations.filter(({ id }) => LAST.test(id)),
    gather,
  );

  const order = (id: string) => operations.findIndex((each) => each.id === id);
  findings.sort((one, other) => order(one.operation) - order(other.operation));
  process.stdout.write(`${tableOf(findings)}\n`);
  expect(findings.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(after).toEqual(before);
  expect(new Set(findings.map(({ operation }) => operation)).size).toBe(operations.length);
  expect(operations.length).toBeGreaterThanOrEqual(FLOORS.operations);
});

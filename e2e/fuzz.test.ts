import { createHttp } from '../tools/lib/raw-http.mjs';
import { createFuzzer, type Finding } from '../tools/probes/fuzzer.mjs';
import { inParallel } from '../tools/probes/matrix.mjs';
import { operationsOf } from '../tools/probes/operations.mjs';
import { openSink } from '../tools/probes/sink.mjs';
import { call, gateways } from './support/api';

// About a minute; much longer on a machine that is busy with other things.
jest.setTimeout(900_000);

/** Always the same inputs, so that a failure is one of the code. `npm run fuzz` sends more of them. */
const SEED = 7;
const INPUTS = 20;

const told = ({ operation, what, problem, request, answer }: Finding) =>
  `${operation}: ${problem}, with ${what}\n  ${JSON.stringify(request)}\n  ${answer}`;

test('no malformed, hostile or extreme request brings more than a refusal', async () => {
  const http = createHttp(gateways(), 8);
  const outside = await openSink();
  const operations = operationsOf((await call('GET', '!/openapi.json')).body);
  const fuzzer = await createFuzzer({ http, outside: outside.url, operations, seed: SEED });
  await inParallel(operations, (operation) => fuzzer.fuzz(operation, INPUTS));
  const alive = await Promise.all(
    gateways().map((gateway) => call('GET', '!/health/live', { gateway })),
  );
  http.close();
  outside.close();

  const { counts, findings, statuses } = fuzzer;
  process.stdout.write(`${JSON.stringify({ ...counts, statuses })}\n`);
  expect(findings.map(told)).toEqual([]);
  expect(alive.map(({ status }) => status)).toEqual(gateways().map(() => 200));
  // A pass in which most requests failed for another reason than the one that was planted proves nothing.
  expect(counts.withBase / counts.operations).toBeGreaterThan(0.9);
});

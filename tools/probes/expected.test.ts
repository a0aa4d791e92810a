import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../../services/gateway/src/openapi/document';
import { routes } from '../../services/gateway/src/routes';
import type { Stack } from '../../services/gateway/src/routing';
import { BASES } from './bases/index.mjs';
import { isKnownField, namesRow, nounOfParameter } from './nouns.mjs';
import { operationId, operationsOf, type Schema } from './operations.mjs';

const EXPECTED: Record<string, string> = JSON.parse(
  readFileSync(path.join(__dirname, 'expected.json'), 'utf8'),
);
const FLOORS: { operations: number } = JSON.parse(
  readFileSync(path.join(__dirname, '../../deploy/local/floors.json'), 'utf8'),
);
const SCOPES: Record<string, string> = JSON.parse(
  readFileSync(path.join(__dirname, 'scopes.json'), 'utf8'),
);
/** Where a use case asks for more than the door does. */
const NARROWER: Record<string, string> = { 'DELETE :ws': 'creator' };

const operations = operationsOf(openApiDocument(routes));

function declared(stack: Stack): string {
  if (stack.name === 'portal') return 'customer';
  if (stack.name === 'mobile') return 'staff';
  if (stack.name !== 'member') return 'open';
  const who = stack.permission ? `member with ${stack.permission}` : 'member';
  const { scope } = stack;
  if (scope.from === 'none') return 'user';
  const admitted =
    scope.from === 'row'
      ? `${who} of the row`
      : scope.from === 'path'
        ? who
        : `${who} by ${scope.from}`;
  return stack.mobileMayRead ? `${admitted} or staff` : admitted;
}

test('no operation is lost: the matrix goes through at least as many as it did', () => {
  expect(operations.length).toBeGreaterThanOrEqual(FLOORS.operations);
});

test('every operation has an expected row', () => {
  const known = routes.map(({ method, path }) => operationId(method, path));
  // A new route needs its line in tools/probes/expected.json: who may call it, written down by hand.
  expect(known.filter((id) => EXPECTED[id] === undefined)).toEqual([]);
});

test.each(routes.map((route) => [operationId(route.method, route.path), route.stack] as const))(
  '%s is guarded as expected',
  (id, stack) => {
    const expected = EXPECTED[id]?.replace(/^open: .+/, 'open');
    expect(expected).toBe(NARROWER[id] ?? declared(stack));
  },
);

test('every operation of members wants the scope of a named token that was written down for it by hand', () => {
  const members = routes.filter(({ stack }) => stack.name === 'member');
  const wanted = members.map(({ method, path, scope }) => [operationId(method, path), scope]);
  expect(Object.fromEntries(wanted)).toEqual(SCOPES);
});

test('what is open to everybody says why', () => {
  const silent = Object.entries(EXPECTED).filter(([, who]) => /^open(: .{0,9})?$/.test(who));
  expect(silent).toEqual([]);
});

test('every id in a path names a row that the matrix can make', () => {
  const unknown = operations.flatMap(({ id, path, params }) =>
    params
      .filter(({ name }) => /(^id|Id)$/.test(name))
      .filter(({ name }) => !nounOfParameter(path, name) && !isMadeByBase(id))
      .map(({ name }) => `${id} ${name}`),
  );
  // A new one needs its noun in tools/probes/nouns.mjs, and how to make such a row in tools/probes/makers.
  expect(unknown).toEqual([]);
});

const isMadeByBase = (id: string): boolean => BASES[id] !== undefined;

test('every field that names a row is known to the matrix', () => {
  const fields = operations.flatMap(({ id, query, body }) =>
    [...query.map(({ name }) => name), ...fieldsOf(body)]
      .filter((name) => namesRow(name) && !isKnownField(name))
      .map((name) => `${id} ${name}`),
  );
  // A new one needs its noun in tools/probes/nouns.mjs.
  expect(fields).toEqual([]);
});

function fieldsOf(schema: Schema | undefined): string[] {
  if (!schema || typeof schema !== 'object') return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries<Schema>(properties).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...[items, ...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf),
  ];
}

import { BSON } from 'mongodb';
import { openDatabase, type TestDatabase } from '../harness';
import { aggregations } from './aggregations';
import type { Case, Row } from './case';
import { columns } from './columns';
import { duplicates } from './duplicates';
import { filters } from './filters';
import { indexes } from './indexes';
import differences from './known-differences.json';
import { lifetimes } from './lifetimes';
import { limits } from './limits';
import { reads } from './reads';
import { sums } from './sums';
import { transactions } from './transactions';
import { within } from './within';
import { writes } from './writes';

interface Difference {
  local: unknown;
  why: string;
}

const cases: readonly Case[] = [
  ...writes,
  ...columns,
  ...duplicates,
  ...limits,
  ...reads,
  ...filters,
  ...aggregations,
  ...sums,
  ...indexes,
  ...lifetimes,
  ...transactions,
  ...within,
];
const known: Record<string, Difference> = differences;
/** The suite runs against a MongoDB server wherever MONGODB_URI names one; only the local engine may differ. */
const isLocal = Boolean(process.env.DOCUMENTDB_ENGINE_SOCKET);

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

/** As JSON, so that what is recorded can be read. */
const recorded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(BSON.EJSON.deserialize(BSON.EJSON.serialize({ value })).value ?? null));

test.each(cases.map((one, at) => [one.name, one, at] as const))('%s', async (name, one, at) => {
  const { client, db } = database;
  const observed = recorded(await one.ask({ rows: db.collection<Row>(`case_${at}`), client }));
  const difference = isLocal ? known[name] : undefined;
  expect(observed).toEqual(difference ? difference.local : one.answer);
});

test('each known difference belongs to a case, differs from its answer, and says why', () => {
  const answers = new Map(cases.map(({ name, answer }) => [name, answer]));
  expect(answers.size).toBe(cases.length);
  for (const [name, { local, why }] of Object.entries(known)) {
    expect([...answers.keys()]).toContain(name);
    expect(local).not.toEqual(answers.get(name));
    expect(why).toMatch(/\w{4}/);
  }
});

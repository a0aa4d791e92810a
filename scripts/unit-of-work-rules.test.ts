import { unitOfWorkViolations } from './unit-of-work-rules.mjs';

const FILE = 'services/things/src/store/things.ts';
const found = (source: string, file = FILE) => unitOfWorkViolations([{ file, source }]);

test.each([
  'const put = async (row: Row, session: Session) => { await rows.insertOne(row); };',
  'async function put(row: Row, session: Session) { await rows.of(id).updateOne({}, row, { upsert: true }); }',
  'const store = { async put({ row, session }: Put) { await rows.deleteMany({ row }); } };',
  'class Store { async put(session: Session) { for (const row of all) await this.rows.insertOne(row); } }',
  'commitOnce(connection, async (session) => { await outbox.append([made]); });',
  'commitOnce(connection, async (session) => { due.wake(undefined, at); });',
  'const put = (session: Session) => { const options = { upsert: true }; return rows.updateOne({}, {}, options); };',
])('a write beside the unit of work that it stands in is refused: %s', (source) => {
  expect(found(source)).toEqual([expect.stringContaining('beside the unit of work')]);
});

test.each([
  'const put = (row: Row, session?: Session) => rows.insertOne(row, { session });',
  'const put = (session: Session) => { const how = { upsert: true, session }; return rows.updateOne({}, {}, how); };',
  'commitOnce(connection, async (session) => { await outbox.append([made], session); due.wake(session, at); });',
  'const put = (row: Row) => rows.insertOne(row);',
  'const wake = () => due.wake(undefined, at);',
])('a write with its unit of work, or where there is none, is fine: %s', (source) => {
  expect(found(source)).toEqual([]);
});

test('one session is not asked for several things at once', () => {
  const asking = (ways: string) =>
    `const read = (session: Session) => ${ways}([one(session), other(session)]);`;
  expect(found(asking('Promise.all'))).toEqual([expect.stringContaining('Promise.all')]);
  expect(found(asking('Promise.allSettled'))).toEqual([expect.stringContaining('at once')]);
  expect(found('const read = () => Promise.all([one(), other()]);')).toEqual([]);
});

test('no other service is asked while rows are held', () => {
  const holding = 'commitOnce(connection, async (session) => { await ledger.GetWallet({ id }); });';
  expect(found(holding)).toEqual([expect.stringContaining('(GetWallet) within a unit of work')]);
  const before = 'await ledger.GetWallet({ id }); await commitOnce(c, (session) => put(session));';
  expect(found(before)).toEqual([]);
});

test('tests, and sessions of pages and the command line, are left alone', () => {
  const source = 'const put = (session: Session) => rows.insertOne(row);';
  expect(found(source, 'services/things/src/store/things.int.test.ts')).toEqual([]);
  expect(found(source, 'packages/cli/src/things.ts')).toEqual([]);
});

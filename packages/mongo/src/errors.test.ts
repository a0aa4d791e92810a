import { isUnknownCommit, storeFault } from './errors';

const named = (name: string, more: object = {}) =>
  Object.assign(new Error('no'), { name, hasErrorLabel: () => false, ...more });

test.each([
  ['a connection that was refused', named('MongoNetworkError')],
  ['no server within reach', named('MongoServerSelectionError')],
  ['no server at the first connection', named('MongooseServerSelectionError')],
  ['a pool that another failure emptied', named('MongoPoolClearedError')],
  ['a server that starts', named('MongoServerError', { code: 91 })],
  ['a primary that stepped down', named('MongoServerError', { code: 10107 })],
  ['a server without disk', named('MongoServerError', { code: 14031 })],
  [
    'a bulk write of which rows found no disk',
    named('MongoBulkWriteError', { code: 14031, writeErrors: [{}] }),
  ],
  ['a bulk write that was cut short', named('MongoBulkWriteError', { writeErrors: [] })],
  [
    'a commit without an answer',
    named('MongoServerError', {
      hasErrorLabel: (label: string) => label === 'UnknownTransactionCommitResult',
    }),
  ],
])('%s means that the store is away', (_, error) => {
  expect(storeFault(error)).toBe('away');
});

test.each([
  ['a duplicate key', named('MongoServerError', { code: 11000 })],
  [
    'a bulk write with a refused row',
    named('MongoBulkWriteError', { code: 11000, writeErrors: [{}] }),
  ],
  ['a bad query', named('MongoServerError', { code: 2 })],
  ['a fault of the program', new TypeError('x is undefined')],
  ['no error at all', undefined],
])('%s does not', (_, error) => {
  expect(storeFault(error)).toBeNull();
});

const labelled = (label: string, more: object = {}) =>
  named('MongoServerError', { hasErrorLabel: (asked: string) => asked === label, ...more });
const TRANSIENT = 'TransientTransactionError';

test('a transaction that gave way to others is a conflict, not a store that is away', () => {
  expect(storeFault(labelled(TRANSIENT, { code: 112 }))).toBe('conflict');
  expect(storeFault(labelled(TRANSIENT, { code: 251 }))).toBe('conflict');
  expect(storeFault(labelled(TRANSIENT, { code: 11600 }))).toBe('away');
});

test('a pool without a free connection is busy, not away', () => {
  expect(storeFault(named('MongoWaitQueueTimeoutError'))).toBe('busy');
});

test('a commit that the server has forgotten is one whose end is unknown', () => {
  expect(isUnknownCommit(named('MongoServerError', { code: 251 }))).toBe(true);
  expect(isUnknownCommit(labelled(TRANSIENT, { code: 251 }))).toBe(false);
  expect(isUnknownCommit(labelled('UnknownTransactionCommitResult'))).toBe(true);
});

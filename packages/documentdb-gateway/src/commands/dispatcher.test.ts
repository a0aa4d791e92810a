import { deserialize, serialize } from 'bson';
import { EngineError } from '../engine/failure';
import type { Command } from '../wire/command';
import { type Caller, Dispatcher } from './dispatcher';

const DEADLOCK = { sqlstate: '40P01', message: 'deadlock detected', detail: '' };
const DONE = [[[Buffer.from(serialize({ n: 1, ok: 1 })), Buffer.from([1])]]];

const insertInto = (target: string): Command => ({
  name: 'insert',
  target,
  db: 'test',
  session: '',
  txnNumber: null,
  startsTransaction: false,
  inTransaction: false,
  maxTimeMs: 0,
  spec: Buffer.from(serialize({ insert: target })),
  sequences: new Map(),
  fields: new Map(),
  body: Buffer.alloc(0),
});

/** An engine that ends the first try of each write by a deadlock, and says how many were at it at once after that. */
function engineOfDeadlocks(writes: number) {
  const atOnce = { now: 0, most: 0 };
  let refused = 0;
  const run = async () => {
    refused += 1;
    if (refused <= writes) throw new EngineError(DEADLOCK);
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    await new Promise(setImmediate);
    atOnce.now -= 1;
    return DONE;
  };
  const pool = { acquire: async () => ({ run }), release: () => undefined };
  const parts = { pool, sessions: {}, cursors: {}, failCommand: null };
  return { atOnce, dispatcher: new Dispatcher(parts as never) };
}

const caller: Caller = { id: 1, onGone: null, destroy: () => undefined };

test('what gave way to others of its collection comes back alone: together they would wait for each other anew', async () => {
  const { atOnce, dispatcher } = engineOfDeadlocks(8);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => dispatcher.dispatch(insertInto('rows'), caller)),
  );
  expect(replies.map((reply) => deserialize(reply))).toEqual(replies.map(() => ({ n: 1, ok: 1 })));
  expect(atOnce.most).toBe(1);
});

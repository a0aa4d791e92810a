import { connectRedis, type Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { currentContext, newId, runInContext, systemContext } from '@laurel/lifecycle';
import { silentLogger, testServers, until } from '@laurel/testing';
import type { AuditRecord } from './audit-stream';
import { type AuditTrail, createAuditTrail } from './audit-trail';
import { auditBacklog } from './metrics';

/** What identity has received, and how it answers. */
class Log {
  readonly records = new Map<string, AuditRecord>();
  answer: (records: readonly AuditRecord[]) => void = () => undefined;

  readonly identity = {
    RecordAudits: async ({ records }: { records: AuditRecord[] }) => {
      this.answer(records);
      for (const record of records) this.records.set(record.request_id, record);
      return {};
    },
  };

  hasAll = (records: readonly AuditRecord[]) =>
    records.every(({ request_id }) => this.records.has(request_id));
}

const away = () => {
  throw platform.serviceUnavailable();
};

const some = (count: number): AuditRecord[] =>
  Array.from({ length: count }, () => ({
    workspace_id: newId(),
    action: 'points.earn',
    entity: 'point',
    request_id: newId(),
    changes: ['amount'],
    values: [],
    at: new Date().toISOString(),
  }));

const opened: { trails: AuditTrail[]; connections: Redis[] } = { trails: [], connections: [] };

async function gateway(log: Log): Promise<{ trail: AuditTrail; redis: Redis }> {
  const redis = await connectRedis(testServers().redisUrl, silentLogger);
  const trail = createAuditTrail({ identity: log.identity, redis, logger: silentLogger });
  opened.connections.push(redis);
  opened.trails.push(trail);
  return { trail, redis };
}

beforeEach(async () => {
  const redis = await connectRedis(testServers().redisUrl, silentLogger);
  await redis.del(['audit:records', 'audit:sender', 'audit:parked']);
  redis.destroy();
});

afterEach(async () => {
  for (const trail of opened.trails.splice(0)) await trail.stop();
  for (const redis of opened.connections.splice(0)) if (redis.isOpen) redis.destroy();
});

test('a Redis that hangs, which still counts as ready, sends records to identity: no change waits for its timeout', async () => {
  const log = new Log();
  const { trail, redis } = await gateway(log);
  jest.spyOn(redis, 'xAdd').mockRejectedValue(new Error('redis does not answer'));
  const records = some(3);
  await Promise.all(records.map((record) => trail.keep(record)));
  expect(redis.isReady).toBe(true);
  expect(log.hasAll(records)).toBe(true);
});

test('what was kept while identity was away arrives from the next gateway, whatever became of the first', async () => {
  const log = new Log();
  log.answer = away;
  const first = await gateway(log);
  const records = some(1_200);
  await Promise.all(records.map((record) => first.trail.keep(record)));
  expect(log.records.size).toBe(0);
  // As after a kill -9: nothing of the first gateway goes on.
  first.redis.destroy();
  log.answer = () => undefined;
  const second = await gateway(log);
  await until(() => log.hasAll(records));
  await until(async () => (await second.redis.xLen('audit:records')) === 0);
});

test('the reported backlog is none again when identity has everything', async () => {
  const told = async () => (await auditBacklog.get()).values[0]?.value;
  const log = new Log();
  log.answer = away;
  const { trail } = await gateway(log);
  await Promise.all(some(20).map((record) => trail.keep(record)));
  await until(async () => (await told()) === 20);
  log.answer = () => undefined;
  await until(async () => (await told()) === 0);
});

test('who asks for the log finds what any gateway has kept before', async () => {
  const log = new Log();
  const [one, other] = [await gateway(log), await gateway(log)];
  const records = some(50);
  await Promise.all(records.map((record) => one.trail.keep(record)));
  await other.trail.settle();
  expect(log.hasAll(records)).toBe(true);
});

test('a record does not inherit the deadline of the request that it tells of', async () => {
  const log = new Log();
  const { trail } = await gateway(log);
  const contexts: ReturnType<typeof currentContext>[] = [];
  log.answer = () => void contexts.push(currentContext());
  const records = some(1);
  const late = systemContext({ requestId: 'late', deadlineAt: Date.now() - 1_000 });
  await runInContext(late, () => trail.keep(records[0]!));
  await until(() => log.hasAll(records));
  expect(contexts[0]).toMatchObject({ background: true });
  expect(contexts[0]!.deadlineAt).toBeGreaterThan(Date.now());
  expect(contexts[0]!.requestId).not.toBe('late');
});

test('without Redis a record is at identity before the answer goes out', async () => {
  const log = new Log();
  const { trail, redis } = await gateway(log);
  redis.destroy();
  const records = some(20);
  await Promise.all(records.map((record) => trail.keep(record)));
  expect(log.hasAll(records)).toBe(true);
});

test('without Redis and identity changes are refused once nothing more can be held', async () => {
  const log = new Log();
  log.answer = away;
  const { trail, redis } = await gateway(log);
  redis.destroy();
  const keeping = some(5_000).map((record) => trail.keep(record));
  expect(() => trail.admit()).toThrow(expect.objectContaining({ httpStatus: 503 }));
  log.answer = () => undefined;
  await Promise.all(keeping);
  await until(() => {
    trail.admit();
    return true;
  });
});

test('a record that identity cannot take is parked and holds up no other', async () => {
  const log = new Log();
  const records = some(40);
  const poison = records[17]!.request_id;
  log.answer = (batch) => {
    if (batch.some(({ request_id }) => request_id === poison)) throw new Error('broken');
  };
  const { trail, redis } = await gateway(log);
  await Promise.all(records.map((record) => trail.keep(record)));
  const parked = await until(async () => {
    const found = await redis.xRange('audit:parked', '-', '+');
    return (found ?? []).length > 0 && found;
  });
  expect(parked.map((entry) => JSON.parse(entry!.message.record!).request_id)).toEqual([poison]);
  await until(() => log.records.size === 39);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backend, sessionKeys } from '@laurel/config';
import { BrokerBlocked, connectBroker, createEvent, startConsumer } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { applyIndexes, type CollectionIndexes, connectStore } from '@laurel/mongo';
import { silentLogger as logger, testServers, until } from '@laurel/testing';
import { everyIndex } from '../indexes';
import { brokerFinding } from './broker';
import { describeFindings, diagnose, type Examined } from './diagnose';
import type { Finding } from './finding';
import { clockFinding, memoryFinding } from './stores';

const declared: CollectionIndexes[] = [
  {
    collection: 'things',
    indexes: [
      { key: { code: 1 }, name: 'code', unique: true },
      { key: { at: 1 }, name: 'at' },
    ],
    retired: ['gone'],
  },
];
const NOBODY = '127.0.0.1:1';

let environment: Record<string, string>;
let exchange: string;
const cleaning: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  exchange = `test-${newId()}`;
  environment = {
    MONGODB_URI: mongodbUri,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redisUrl,
    MONGODB_DATABASE_PREFIX: `test_${newId().replaceAll('-', '').slice(-20)}_`,
  };
});
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

/** Says of a server that it is away, though it is there: on a busy machine it did not answer in three seconds. */
const isMistaken = ({ text }: Finding) =>
  text.includes('does not answer') &&
  Object.values(testServers()).some((url) => text.includes(new URL(url).host));

const examine = (more: Partial<Examined> = {}) =>
  until(async () => {
    const findings = await diagnose({
      patients: [{ name: 'things', settings: backend, indexes: declared }],
      environment,
      exchange,
      ...more,
    });
    return !findings.some(isMistaken) && findings;
  });
const broken = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level === 'broken').map(({ about, text }) => `${about}: ${text}`);
const notFine = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'fine');

async function database(name = `${environment.MONGODB_DATABASE_PREFIX}things`) {
  const connection = await connectStore({
    uri: environment.MONGODB_URI!,
    database: name,
    poolSize: 4,
  });
  cleaning.push(async () => {
    await connection.db!.dropDatabase();
    await connection.close();
  });
  return connection;
}

test('where nothing is wrong it says so', async () => {
  await applyIndexes(await database(), everyIndex(declared));
  const findings = await examine();
  expect(notFine(findings)).toEqual([]);
  expect(describeFindings(findings)).toMatch(/✓ MongoDB: answers[\s\S]*Nothing is wrong\.$/);
});

test('each server that is away is named, without its password, beside the others', async () => {
  environment.MONGODB_URI = `mongodb://user:hidden@${NOBODY}/?directConnection=true`;
  environment.RABBITMQ_URL = `amqp://user:hidden@${NOBODY}`;
  environment.REDIS_URL = `redis://user:hidden@${NOBODY}`;
  const findings = await examine({ baseUrls: [`http://${NOBODY}`] });
  for (const about of ['MongoDB', 'RabbitMQ', 'Redis', 'gateway'])
    expect(broken(findings).join('\n')).toMatch(new RegExp(`${about}.*does not answer`));
  expect(describeFindings(findings)).not.toContain('hidden');
});

test('a server that takes connections and says nothing is named, and does not keep the others from being heard', async () => {
  await applyIndexes(await database(), everyIndex(declared));
  const mute = createTcpServer(() => undefined);
  await new Promise<void>((resolve) => void mute.listen(0, '127.0.0.1', resolve));
  cleaning.push(async () => mute.close());
  environment.REDIS_URL = `redis://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const findings = await examine();
  expect(broken(findings).join()).toMatch(/Redis: redis:.* does not answer/);
  expect(describeFindings(findings)).toMatch(/✓ MongoDB: answers/);
  const redisAlone = { REDIS_URL: environment.REDIS_URL };
  const looked = examine({ patients: [], msMax: 500, environment: redisAlone });
  expect(broken(await looked)).toEqual([
    'Redis: takes connections and said nothing for 0.5 s: it stands still',
  ]);
});

test('where addresses come from files, the servers behind them are looked at', async () => {
  await applyIndexes(await database(), everyIndex(declared));
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-doctor-'));
  cleaning.push(async () => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'REDIS_URL'), `redis://${NOBODY}\n`);
  delete environment.REDIS_URL;
  environment.REDIS_URL_FILE = path.join(folder, 'REDIS_URL');
  expect(broken(await examine()).join()).toMatch(/Redis: .*does not answer/);
});

test('a setting that no service can read is named once, with all who read it', async () => {
  await applyIndexes(await database(), everyIndex(declared));
  environment.MONGODB_POOL_SIZE = 'many';
  const patients = ['things', 'others'].map((name) => ({ name, settings: backend }));
  expect(broken(await examine({ patients }))).toEqual([
    'settings: MONGODB_POOL_SIZE must be a number (things, others)',
  ]);
});

test('what only services hold is not missing where the addresses of the servers alone are set', async () => {
  const patients = [{ name: 'things', settings: { ...backend, ...sessionKeys } }];
  const found = (more: Record<string, string>) =>
    examine({ patients, environment: { ...environment, ...more } });
  expect(notFine(await found({}))).toEqual([]);
  expect(broken(await found({ SECRETS_KEY: 'seals' }))).toEqual([
    'settings: JWT_SECRET is required (things)',
  ]);
});

test('what suits one machine is a warning where others come in', async () => {
  Object.assign(environment, {
    PUBLIC_URL: 'http://loyalty.example.com',
    ALLOW_REGISTRATION: 'true',
    WEBHOOK_ALLOW_INSECURE: 'true',
  });
  const found = notFine(await examine({ patients: [] })).map(({ text }) => text);
  expect(found.join('\n')).toMatch(/may register[\s\S]*inside[\s\S]*mails[\s\S]*http/);
  environment.PUBLIC_URL = 'http://localhost:8080';
  expect(notFine(await examine({ patients: [] }))).toEqual([]);
});

test('a prefix that is empty is read as services read it, and one that they cannot read is named', async () => {
  const name = `test_${newId().replaceAll('-', '').slice(-20)}`;
  await applyIndexes(await database(`laurel_${name}`), everyIndex(declared));
  environment.MONGODB_DATABASE_PREFIX = '';
  const patients = [{ name, settings: backend, indexes: declared }];
  expect(notFine(await examine({ patients }))).toEqual([]);
  environment.MONGODB_DATABASE_PREFIX = 'Laurel-';
  const found = broken(await examine({ patients }));
  expect(found).toEqual([expect.stringMatching(/^settings: MONGODB_DATABASE_PREFIX /)]);
});

test('missing, changed and forgotten indexes are named by kind, and none is to be pruned that is unknown', async () => {
  const connection = await database();
  const things = connection.collection('things');
  await things.createIndex({ other: 1 }, { name: 'at' });
  await things.createIndex({ gone: 1 }, { name: 'gone' });
  await things.createIndex({ later: 1 }, { name: 'later', unique: true });
  const text = describeFindings(await examine());
  expect(text).toMatch(/✗ indexes of things: unique ones are missing: things\.code/);
  expect(text).toMatch(/✗ indexes of things: are others than declared: things\.at/);
  expect(text).toMatch(/! indexes of things: are of an earlier release: things\.gone\n/);
  expect(text).toMatch(/✓ indexes of things: unknown here, .*: things\.later\n/);
  expect(text).toMatch(/npm run indexes -- apply/);
});

test('events that wait for the broker are reported with the age of the oldest', async () => {
  const connection = await database();
  await applyIndexes(connection, everyIndex(declared));
  const since = (ms: number) => new Date(Date.now() - ms);
  const row = { pending: true, event: {}, published_at: null, created_at: since(60_000) };
  await connection.collection<{ _id: string }>('outbox').insertOne({ _id: 'one', ...row });
  expect(notFine(await examine())).toMatchObject([
    { level: 'warning', about: 'events of things', text: expect.stringMatching(/waited 6\d s/) },
  ]);
  const older = { ...row, created_at: since(3_600_000) };
  await connection.collection<{ _id: string }>('outbox').insertOne({ _id: 'a', ...older });
  expect(broken(await examine()).join()).toMatch(/waited 36\d\d s/);
});

test('parked events and queues without a consumer are reported with their names', async () => {
  const connection = await database();
  await applyIndexes(connection, everyIndex(declared));
  const { rabbitmqUrl: url } = testServers();
  const broker = await connectBroker({ url, logger, service: 'test', exchange });
  cleaning.push(() => broker.close());
  const queue = `test.${newId()}`;
  const consumer = await startConsumer({
    broker,
    connection,
    logger,
    queue,
    maxAttempts: 1,
    handlers: { '#': () => Promise.reject(new Error('never')) },
  });
  const data = { client_id: newId() };
  const event = createEvent('clients.anonymized', { workspaceId: newId(), subject: 'a', data });
  await broker.publish([event]);
  // A look takes what is parked in hand for a moment: the next one may not find it.
  const found = await until(async () => {
    const findings = notFine(await examine());
    return findings.some(({ text }) => text.includes('attempts_exhausted')) && findings;
  });
  expect(found).toMatchObject([
    {
      level: 'warning',
      about: `queue ${queue}`,
      text: '1 events are parked, the oldest because of attempts_exhausted',
    },
  ]);
  await consumer.stop();
  await broker.publish([event]);
  await until(async () =>
    broken(await examine()).includes(`queue ${queue}: nobody consumes it; 1 events wait`),
  );
});

test('a broker with an alarm is named by what it is short of, and not as one that is away', () => {
  const finding = brokerFinding('amqp://guest:guest@broker', new BrokerBlocked('low on disk'));
  expect(finding).toMatchObject({ level: 'broken', text: 'it takes nothing in: low on disk' });
  expect(finding.mend).toContain('LaurelOutboxLags.md');
});

test('a clock that is apart is reported with how much', () => {
  const now = Date.now();
  expect(clockFinding('Redis', now + 200, now).level).toBe('fine');
  expect(clockFinding('Redis', now - 3_000, now)).toMatchObject({
    level: 'warning',
    text: "its clock and this machine's are 3 s apart",
  });
  expect(clockFinding('Redis', now + 60_000, now).level).toBe('broken');
});

test('a Redis that grows without end, that takes nothing in when it is full, or loses audit records is reported', () => {
  const well = {
    usedBytes: 1e8,
    limitBytes: 1e9,
    isLimited: true,
    policy: 'volatile-lru',
    evictedKeys: 0,
  };
  expect(memoryFinding(well).level).toBe('fine');
  const wrong = [
    [{ isLimited: false }, /no limit/],
    [{ policy: 'noeviction' }, /takes nothing in/],
    [{ policy: 'allkeys-lru' }, /audit records/],
    [{ usedBytes: 9.5e8 }, /before their 24 hours/],
  ] as const;
  for (const [change, text] of wrong) {
    expect(memoryFinding({ ...well, ...change })).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(text),
    });
  }
});

test('certificates are reported with their end, and what does not belong together', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-doctor-'));
  cleaning.push(async () => rmSync(folder, { recursive: true }));
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  openssl(
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=ca',
    '-days',
    '400',
  );
  const certify = (days: string) =>
    openssl(
      'req',
      '-x509',
      ...KEY,
      '-keyout',
      'tls.key',
      '-out',
      'tls.crt',
      '-subj',
      '/CN=a',
      '-days',
      days,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
    );
  const look = async () => {
    const only = { RPC_TLS_FOLDER: folder };
    return describeFindings(await examine({ patients: [], environment: only }));
  };
  certify('90');
  expect(await look()).toMatch(/tls\.crt: holds for \d+ days[\s\S]*Nothing is wrong/);
  certify('5');
  expect(await look()).toMatch(/! certificates .*tls\.crt: ends in \d days/);
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'tls.key');
  expect(await look()).toMatch(/✗ .*tls\.key does not belong to tls\.crt/);
  rmSync(path.join(folder, 'ca.crt'));
  expect(await look()).toMatch(/✗ .*cannot be read/);
});

test('a gateway says what it does not reach', async () => {
  const server = createServer((_, response) =>
    response.writeHead(503).end(JSON.stringify({ status: 'not healthy', down: ['ledger'] })),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleaning.push(async () => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const findings = await diagnose({ patients: [], environment: {}, baseUrls: [baseUrl] });
  expect(broken(findings)).toEqual([`gateway ${baseUrl}: does not reach ledger`]);
});

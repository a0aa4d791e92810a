import { backend, ConfigError, type Environment, loadConfig } from '@laurel/config';
import { createOutbox } from '@laurel/events';
import { type Connection, connectStore, planIndexes } from '@laurel/mongo';
import { createClient } from 'redis';
import { everyIndex } from '../indexes';
import { type RedisMemory, readMemory } from '../redis-memory';
import { addressOf, broken, type Finding, fine, reasonOf, warning } from './finding';
import type { Patient } from './settings';

const { mongodbDatabasePrefix } = backend;
const ANSWER_MS_MAX = 3_000;
const SKEW_MS_WARNING = 1_000;
/** Tokens of a minute and leases of ten seconds are judged by different clocks then. */
const SKEW_MS_BROKEN = 10_000;
const LAG_MS_WARNING = 30_000;
const LAG_MS_BROKEN = 10 * 60_000;
const POOL_SIZE = 2;
const PRUNE = 'npm run indexes -- prune, once no earlier release runs; docs/upgrade.md, "After"';

/** MongoDB: whether it answers, whose clock it goes by, and what each service keeps there. */
export async function examineMongodb(
  patients: readonly Patient[],
  environment: Environment,
  now: () => number = Date.now,
): Promise<Finding[]> {
  const uri = environment.MONGODB_URI;
  if (!uri) return [];
  const about = 'MongoDB';
  const prefix = prefixIn(environment);
  if (prefix === undefined) return [];
  const keeping = patients.filter(({ indexes }) => indexes !== undefined);
  try {
    const findings: Finding[] = [];
    for (const [position, patient] of keeping.entries()) {
      const connection = await connectSoon(uri, `${prefix}${patient.name}`);
      try {
        if (position === 0) findings.push(...(await examineServer(connection, now)));
        findings.push(...(await examineIndexes(patient, connection)));
        findings.push(...(await examineLag(patient, connection, now)));
      } finally {
        await connection.close();
      }
    }
    return findings;
  } catch (error) {
    const text = `${addressOf(uri)} does not answer: ${reasonOf(error)}`;
    return [broken(about, text, 'start it, or correct MONGODB_URI')];
  }
}

/** None where no service could read it either, which `examineSettings` says. */
function prefixIn(environment: Environment): string | undefined {
  try {
    return loadConfig({ mongodbDatabasePrefix }, environment).mongodbDatabasePrefix;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const connectSoon = (uri: string, database: string): Promise<Connection> =>
  connectStore({ uri, database, poolSize: POOL_SIZE, answerMsMax: ANSWER_MS_MAX });

async function examineServer(connection: Connection, now: () => number): Promise<Finding[]> {
  const asked = now();
  const hello = await connection.db!.admin().command({ hello: 1 });
  const answered = now();
  const found = [fine('MongoDB', 'answers')];
  if (hello.localTime instanceof Date)
    found.push(clockFinding('MongoDB', hello.localTime.getTime(), (asked + answered) / 2));
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    found.push(
      broken(
        'MongoDB',
        'is neither a replica set nor sharded',
        'transactions need one: rs.initiate()',
      ),
    );
  return found;
}

export function clockFinding(server: string, theirs: number, ours: number): Finding {
  const skewMs = Math.round(theirs - ours);
  const text = `its clock and this machine's are ${Math.abs(skewMs) / 1_000} s apart`;
  const mend = 'let both keep time (chrony, systemd-timesyncd)';
  if (Math.abs(skewMs) >= SKEW_MS_BROKEN) return broken(server, text, mend);
  if (Math.abs(skewMs) >= SKEW_MS_WARNING) return warning(server, text, mend);
  return fine(server, "keeps this machine's time");
}

async function examineIndexes(patient: Patient, connection: Connection): Promise<Finding[]> {
  const about = `indexes of ${patient.name}`;
  const plan = await planIndexes(connection, everyIndex(patient.indexes!));
  const { missing, changed, left, others } = plan;
  const names = (some: typeof missing) =>
    some.map(({ collection, name }) => `${collection}.${name}`).join(', ');
  const unique = missing.filter((index) => index.unique);
  const plain = missing.filter((index) => !index.unique);
  const apply = 'npm run indexes -- apply';
  return [
    ...(unique.length > 0
      ? [broken(about, `unique ones are missing: ${names(unique)}`, apply)]
      : []),
    ...(plain.length > 0 ? [warning(about, `are missing: ${names(plain)}`, apply)] : []),
    ...(changed.length > 0
      ? [broken(about, `are others than declared: ${names(changed)}`, 'drop them, then apply')]
      : []),
    ...(left.length > 0
      ? [warning(about, `are of an earlier release: ${names(left)}`, PRUNE)]
      : []),
    // Of a release that runs beside this one, or was run before it: dropping one may take a guard from under it.
    ...(others.length > 0
      ? [fine(about, `unknown here, of another release or somebody's own: ${names(others)}`)]
      : []),
  ];
}

async function examineLag(
  { name }: Patient,
  connection: Connection,
  now: () => number,
): Promise<Finding[]> {
  const oldest = await createOutbox(connection).oldestPendingAt();
  const entry = await connection
    .collection<{ created_at: Date }>('entries')
    .findOne({ unrelayed: true }, { sort: { unrelayed: 1, _id: 1 } });
  const times = [oldest, name === 'ledger' ? entry?.created_at : null].flatMap((at) => at ?? []);
  const lagMs = Math.max(0, ...times.map((at) => now() - at.getTime()));
  if (lagMs < LAG_MS_WARNING) return [];
  const text = `its oldest event has waited ${Math.round(lagMs / 1_000)} s for the broker`;
  const say = lagMs < LAG_MS_BROKEN ? warning : broken;
  return [say(`events of ${name}`, text, 'docs/runbooks/LaurelOutboxLags.md')];
}

/** Redis: whether each node answers, and whose clock it goes by. Nothing that matters is kept there alone. */
export async function examineRedis(
  environment: Environment,
  now: () => number = Date.now,
): Promise<Finding[]> {
  const urls = environment.REDIS_URL?.split(',') ?? [];
  const found = await Promise.all(urls.map((url) => examineNode(url, now)));
  return found.flat();
}

const FULL = 0.9;

/** Whether a node may grow, and what it does at its limit: nothing but keys that end anyway may go (docs/adr/0044). */
export function memoryFinding({ usedBytes, limitBytes, isLimited, policy }: RedisMemory): Finding {
  const about = 'memory of Redis';
  const mend = 'maxmemory and maxmemory-policy volatile-lru; docs/runbooks/LaurelRedisFills.md';
  const share = `${Math.round((usedBytes / limitBytes) * 100)} % of ${Math.round(limitBytes / 2 ** 20)} MiB in use`;
  if (!isLimited)
    return warning(about, `it has no limit, and ends with its machine: ${share}`, mend);
  if (policy.startsWith('allkeys'))
    return warning(about, `${policy} also takes audit records that wait for identity`, mend);
  if (policy === 'noeviction')
    return warning(about, 'at its limit it takes nothing in any more (noeviction)', mend);
  if (usedBytes > FULL * limitBytes)
    return warning(about, `${share}: answers go before their 24 hours`, mend);
  return fine(about, `${share}; ${policy}`);
}

async function examineNode(url: string, now: () => number): Promise<Finding[]> {
  const redis = createClient({
    url,
    socket: { connectTimeout: ANSWER_MS_MAX, reconnectStrategy: false },
  });
  redis.on('error', () => undefined);
  // A process that stands still takes the connection and never says a word on it.
  const silence = setTimeout(() => redis.destroy(), ANSWER_MS_MAX);
  try {
    await redis.connect();
    const asked = now();
    const [seconds = '0', microseconds = '0'] = (await redis.sendCommand(['TIME'])) as string[];
    const theirs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    return [
      fine('Redis', 'answers'),
      clockFinding('Redis', theirs, (asked + now()) / 2),
      memoryFinding(readMemory(await redis.info())),
    ];
  } catch (error) {
    const text = `${addressOf(url)} does not answer: ${reasonOf(error)}`;
    return [broken('Redis', text, 'start it, or correct REDIS_URL')];
  } finally {
    clearTimeout(silence);
    if (redis.isOpen) redis.destroy();
  }
}

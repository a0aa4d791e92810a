import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import mongoose from 'mongoose';
import { readDocument } from './plain-documents';

const { MongoClient } = mongoose.mongo;

/** What was written or read, added up over databases. */
export interface DumpCount {
  databases: number;
  collections: number;
  documents: number;
  bytes: number;
}

const SUFFIX = '.bson';
/** What a dump is called until it is whole: whatever ends it, a part is never taken for a backup. */
const UNFINISHED = '.unfinished';
const BATCH = 1_000;
const LENGTH_BYTES = 4;

/** Where a platform keeps what it has: a database of each service, by its name behind `prefix`. */
interface Place {
  uri: string;
  prefix: string;
  services: readonly string[];
}

/**
 * Dumps into a folder that is not there yet, or is empty. It bears its name once all of it is written. Databases that only
 * begin with the same prefix are another platform's.
 *
 * @throws when nothing was saved, as where a database is missing: an account that opens the one of one service is shown no
 *   other, and what it saved would look whole
 */
export async function dumpDatabases(place: Place, folder: string): Promise<DumpCount> {
  const whole = path.resolve(folder);
  const unfinished = `${whole}${UNFINISHED}`;
  const there = await readdir(whole).catch(() => []);
  if (there.length > 0) throw new Error(`${folder} holds something already`);
  await rm(unfinished, { recursive: true, force: true });
  try {
    const count = await writeDump(place, unfinished);
    await rename(unfinished, whole);
    return count;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`nothing was saved: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /lifetime/i.test(text)
    ? `reading took longer than the server lets a transaction last (a minute, as a rule); docs/backup.md says how large databases are saved`
    : text;
}

/**
 * Writes the database of every service as it was at one moment, all collections in one transaction:
 * `<folder>/<database>/<collection>.bson`, which mongorestore reads too. A server ends transactions after a minute
 * (transactionLifetimeLimitSeconds), so this is for what can be read within one; docs/backup.md says what to use above.
 */
async function writeDump({ uri, prefix, services }: Place, folder: string): Promise<DumpCount> {
  const client = await new MongoClient(uri).connect();
  const count: DumpCount = { databases: 0, collections: 0, documents: 0, bytes: 0 };
  const session = client.startSession();
  try {
    // Not to be asked for in a transaction; what is made from here on is not in the dump.
    const names = services.map((service) => `${prefix}${service}`);
    const there = await namesSeenBy(client);
    const missing = names.filter((name) => !there.includes(name));
    if (missing.length > 0)
      throw new Error(
        `there is no ${missing.join(', ')}, or the account of MONGODB_URI may not read it; it must open the database of every service`,
      );
    const places = await collectionsOf(client, names);
    // Of everybody who is in the databases: for the account alone that saves it.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    for (const [database, collections] of places) {
      await mkdir(path.join(folder, database), { recursive: true });
      count.databases += 1;
      for (const name of collections) {
        const rows = client.db(database).collection(name).find({}, { session, raw: true });
        const file = path.join(folder, database, `${name}${SUFFIX}`);
        await pipeline(counted(rows.batchSize(BATCH), count), createWriteStream(file));
        count.collections += 1;
      }
    }
    await session.commitTransaction();
    return count;
  } finally {
    await session.endSession();
    await client.close();
  }
}

async function* counted(rows: AsyncIterable<unknown>, count: DumpCount): AsyncGenerator<Buffer> {
  for await (const row of rows) {
    const bytes = row as Buffer;
    count.documents += 1;
    count.bytes += bytes.length;
    yield bytes;
  }
}

/** Of every database that the account may read. */
async function namesSeenBy(client: InstanceType<typeof MongoClient>): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name);
}

async function collectionsOf(
  client: InstanceType<typeof MongoClient>,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>();
  for (const name of names) {
    const found = await client.db(name).listCollections({}, { nameOnly: true }).toArray();
    places.set(
      name,
      found.map((one) => one.name).filter((one) => !one.startsWith('system.')),
    );
  }
  return places;
}

/**
 * Writes what `dumpDatabases` wrote into databases that do not exist yet; rejects before it writes anything where one
 * does. Indexes are not part of a dump: build them after it (`npm run indexes -- apply`).
 */
export async function restoreDatabases(uri: string, folder: string): Promise<DumpCount> {
  const client = await new MongoClient(uri).connect();
  const count: DumpCount = { databases: 0, collections: 0, documents: 0, bytes: 0 };
  try {
    if (path.resolve(folder).endsWith(UNFINISHED)) throw new Error(`${folder} was never finished`);
    const names = await foldersIn(folder);
    if (names.length === 0) throw new Error(`${folder} holds no dump`);
    const there = await namesSeenBy(client);
    const taken = names.filter((name) => there.includes(name));
    if (taken.length > 0) throw new Error(`there already: ${taken.join(', ')}; drop them first`);
    for (const database of names) {
      count.databases += 1;
      for (const file of await readdir(path.join(folder, database))) {
        if (!file.endsWith(SUFFIX)) continue;
        const collection = client.db(database).collection(file.slice(0, -SUFFIX.length));
        let batch: Record<string, unknown>[] = [];
        const flush = async () => {
          if (batch.length > 0) await collection.insertMany(batch as never[], { ordered: false });
          batch = [];
        };
        for await (const bytes of documentsIn(path.join(folder, database, file))) {
          batch.push(readDocument(bytes, { promoteValues: false, promoteBuffers: false }));
          count.documents += 1;
          count.bytes += bytes.length;
          if (batch.length === BATCH) await flush();
        }
        await flush();
        count.collections += 1;
      }
    }
    return count;
  } finally {
    await client.close();
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const stats = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  return names.filter((_, at) => stats[at]!.isDirectory());
}

/** Documents stand one behind the other, each led by its length. */
async function* documentsIn(file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= LENGTH_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw new Error(`${file} ends in the middle of a document`);
}

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import mongoose from 'mongoose';

const { MongoClient, BSON } = mongoose.mongo;

/** What was written or read, added up over databases. */
export interface DumpCount {
  databases: number;
  collections: number;
  documents: number;
  bytes: number;
}

const SUFFIX = '.bson';
const BATCH = 1_000;
const LENGTH_BYTES = 4;

/**
 * Writes every database whose name begins with `prefix` as it was at one moment, all collections in one transaction:
 * `<folder>/<database>/<collection>.bson`, which mongorestore reads too. A server ends transactions after a minute
 * (transactionLifetimeLimitSeconds), so this is for what can be read within one; docs/backup.md says what to use above.
 */
export async function dumpDatabases(
  uri: string,
  prefix: string,
  folder: string,
): Promise<DumpCount> {
  const client = await new MongoClient(uri).connect();
  const count: DumpCount = { databases: 0, collections: 0, documents: 0, bytes: 0 };
  const session = client.startSession();
  try {
    // Not to be asked for in a transaction; what is made from here on is not in the dump.
    const places = await collectionsOf(client, prefix);
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    for (const [database, collections] of places) {
      await mkdir(path.join(folder, database), { recursive: true });
      count.databases += 1;
      for (const name of collections) {
        const file = createWriteStream(path.join(folder, database, `${name}${SUFFIX}`), {
          flags: 'wx',
        });
        const rows = client.db(database).collection(name).find({}, { session, raw: true });
        for await (const row of rows.batchSize(BATCH)) {
          const bytes = row as unknown as Buffer;
          if (!file.write(bytes)) await once(file, 'drain');
          count.documents += 1;
          count.bytes += bytes.length;
        }
        file.end();
        await finished(file);
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

async function collectionsOf(
  client: InstanceType<typeof MongoClient>,
  prefix: string,
): Promise<Map<string, string[]>> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  const places = new Map<string, string[]>();
  for (const { name } of databases.filter((one) => one.name.startsWith(prefix))) {
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
    const names = await foldersIn(folder);
    if (names.length === 0) throw new Error(`${folder} holds no dump`);
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const taken = names.filter((name) => databases.some((one) => one.name === name));
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
          batch.push(BSON.deserialize(bytes, { promoteValues: false, promoteBuffers: false }));
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

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { BSON, type Db, type Document, MongoClient, type MongoClientOptions } from 'mongodb';
import { readConfig } from '../config';
import { EngineConnection } from '../engine/connection';
import { type Gateway, startGateway } from '../gateway';

const MAIN = path.join(__dirname, '../../dist/main.js');
const POLL_MS = 10;

/** Unix socket of the local engine; suites about a gateway of their own run only where it is. */
export const engineSocket = process.env.DOCUMENTDB_ENGINE_SOCKET ?? '';

/** `describe` for suites that only make sense against the local engine, not against a real MongoDB server. */
export const describeWithEngine = engineSocket ? describe : describe.skip;

/** A database of one suite's own. `close` drops it. */
export interface TestDatabase {
  client: MongoClient;
  db: Db;
  close(): Promise<void>;
}

/** Connects to MONGODB_URI, or to `uri`, with a database name of its own. */
export async function openDatabase(
  options: MongoClientOptions = {},
  uri = process.env.MONGODB_URI,
): Promise<TestDatabase> {
  if (!uri) throw new Error('MONGODB_URI must point at a running gateway or MongoDB replica set');
  const client = await new MongoClient(uri, options).connect();
  const db = client.db(`gw_${randomBytes(6).toString('hex')}`);
  const close = async () => {
    await db.dropDatabase();
    await client.close();
  };
  return { client, db, close };
}

/** Starts a gateway inside this process, with settings as environment variables. */
export async function startInstance(
  settings: Record<string, string> = {},
): Promise<Gateway & { uri: string }> {
  const env = { DOCUMENTDB_ENGINE_SOCKET: engineSocket, DOCUMENTDB_GATEWAY_PORT: '0', ...settings };
  const gateway = await startGateway(readConfig(env), () => {});
  return { ...gateway, uri: uriOf(gateway.port) };
}

/** Starts a gateway as a process of its own, to be killed. Needs the package built. */
export async function startProcess(
  port: number,
  socket = engineSocket,
): Promise<{ child: ChildProcess; uri: string; ended: Promise<number | null> }> {
  const env = {
    ...process.env,
    DOCUMENTDB_ENGINE_SOCKET: socket,
    DOCUMENTDB_GATEWAY_PORT: String(port),
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  );
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes('"listening"')) resolve();
    });
    void ended.then(() => reject(new Error(`The gateway did not start (is it built?): ${output}`)));
  });
  return { child, uri: uriOf(port), ended };
}

/** Asks the engine itself, beside any gateway. @returns the first column of the first row as text */
export async function askEngine(sql: string): Promise<string> {
  const [first = ''] = await firstColumn(`select (${sql})::text`);
  return first;
}

/**
 * Lets the engine look at a collection first, as it does by itself within a minute.
 * @returns how it carries out a `find` command, line by line
 */
export async function planOfFind(database: string, find: Document): Promise<string> {
  const isIt = `database_name = '${database}' and collection_name = '${find.find}'`;
  const id = `select collection_id from documentdb_api_catalog.collections where ${isIt}`;
  await firstColumn(`analyze documentdb_data.documents_${await askEngine(id)}`);
  const command = `'${database}', '${BSON.EJSON.stringify(find)}'`;
  const lines = await firstColumn(
    `explain select document from documentdb_api_catalog.bson_aggregation_find(${command})`,
  );
  return lines.join('\n');
}

async function firstColumn(sql: string): Promise<string[]> {
  const settings = { user: 'postgres', database: 'postgres' };
  const connection = await EngineConnection.connect({ path: engineSocket }, settings);
  const [rows = []] = await connection.run([{ name: '', sql, parameters: [] }]);
  connection.close();
  return rows.map(([value]) => value?.toString() ?? '');
}

/** @returns how many engine connections of a gateway process are in a state, as SQL sees it */
export async function backends(pid: number | undefined, condition: string): Promise<number> {
  const of = `application_name = 'documentdb-gateway ${pid}'`;
  return Number(
    await askEngine(`select count(*) from pg_stat_activity where ${of} and ${condition}`),
  );
}

/** Condition on a backend: it waits for a lock that another transaction holds. */
export const WAITS_FOR_LOCK = "wait_event_type = 'Lock'";

/** @returns a TCP port that was free a moment ago */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Polls until the condition holds; the test's own timeout ends a wait in vain. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** @returns the error that a promise rejects with */
export async function failure(promise: Promise<unknown>): Promise<Record<string, never> & Error> {
  return promise.then(
    (value) => {
      throw new Error(`Expected a failure, got ${String(value)}`);
    },
    (error) => error,
  );
}

/** @returns the numbers from 0 to `count` - 1 */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function uriOf(port: number): string {
  return `mongodb://127.0.0.1:${port}/?retryWrites=false`;
}

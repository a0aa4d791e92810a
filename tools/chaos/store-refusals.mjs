// What a replica set answers while it changes, and a server whose disk is full or slow: asked of the wire gateway, which fails commands on purpose.
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

/** @typedef {'step down' | 'conflict' | 'unsure commit' | 'no disk' | 'slow disk'} StoreRefusal */

const NOT_WRITABLE_PRIMARY = 10_107;
const WRITE_CONFLICT = 112;
const OUT_OF_DISK_SPACE = 14_031;
const SLOW_MS = 250;
const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'commitTransaction'];
/** How many of the commands that may fail do, where not all of them. */
const SHARE = 0.5;

/** @type {Record<StoreRefusal, { mode: object | string, data: object }>} */
const REFUSALS = {
  'step down': {
    mode: 'alwaysOn',
    data: { failCommands: WRITES, errorCode: NOT_WRITABLE_PRIMARY },
  },
  conflict: {
    mode: { activationProbability: SHARE },
    data: { failCommands: ['commitTransaction'], errorCode: WRITE_CONFLICT },
  },
  // Done, and the reply is lost.
  'unsure commit': {
    mode: { activationProbability: SHARE },
    data: { failCommands: ['commitTransaction'], closeConnection: true, afterCommand: true },
  },
  'no disk': {
    mode: 'alwaysOn',
    data: { failCommands: ['insert', 'update', 'findAndModify'], errorCode: OUT_OF_DISK_SPACE },
  },
  'slow disk': {
    mode: 'alwaysOn',
    data: { failCommands: WRITES, blockConnection: true, blockTimeMS: SLOW_MS },
  },
};

/** @type {readonly StoreRefusal[]} */
export const STORE_REFUSALS = ['step down', 'conflict', 'unsure commit', 'no disk', 'slow disk'];

/** The gateways that this process starts answer test commands from now on. */
export function allowRefusals() {
  process.env.DOCUMENTDB_TEST_COMMANDS = '1';
}

/** How often a refusal that met nothing goes on for as long again: commits may be rare when it begins. */
const PROLONGED_MAX = 4;
/** @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * Lets commands fail for a while. There is one fail point: a refusal that begins meanwhile waits until this one is over.
 *
 * @param {string} uri of the wire gateway itself, which answers test commands
 * @param {StoreRefusal} refusal
 * @param {number} forMs
 * @returns {Promise<boolean>} whether a command failed by it; false where the gateway was away
 */
export function refuse(uri, refusal, forMs) {
  const refused = before.then(() => refuseNow(uri, refusal, forMs));
  before = refused;
  return refused;
}

/** @type {typeof refuse} never rejects */
async function refuseNow(uri, refusal, forMs) {
  for (let times = 0; times <= PROLONGED_MAX; times += 1)
    if (await hasRefused(uri, refusal, forMs)) return true;
  return false;
}

/** @type {typeof refuse} */
async function hasRefused(uri, refusal, forMs) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1_000, maxPoolSize: 1 });
  const set = (/** @type {object} */ how) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', ...how });
  try {
    await set(REFUSALS[refusal]);
    await pause(forMs);
    const { count } = await set({ mode: 'off' });
    return count > 0;
  } catch {
    // Killed meanwhile: what took its place knows of no fail point.
    return false;
  } finally {
    await client.close();
  }
}

import os from 'node:os';
import { serialize } from 'bson';
import type { Command } from '../wire/command';
import { MAX_MESSAGE_BYTES } from '../wire/message';

const VERSION = '7.0.0';
const VERSION_ARRAY = [7, 0, 0, 0];
const MAX_WIRE_VERSION = 21; // MongoDB 7.0
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** The engine's own limit (documentdb.maxWriteBatchSize). */
const MAX_WRITE_BATCH = 25_000;
const SESSION_MINUTES = 30;

type Answer = (command: Command, connectionId: number) => Uint8Array;

/** Speaks as a mongos: drivers allow transactions there without a replica set. */
const hello: Answer = (_command, connectionId) =>
  serialize({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    msg: 'isdbgrid',
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: MAX_WRITE_BATCH,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSION,
    readOnly: false,
    ok: 1,
  });

const ok: Answer = () => serialize({ ok: 1 });

const buildInfo: Answer = () =>
  serialize({
    version: VERSION,
    versionArray: VERSION_ARRAY,
    gitVersion: 'laurel-documentdb-gateway',
    bits: 64,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    modules: [],
    ok: 1,
  });

const hostInfo: Answer = () =>
  serialize({
    system: { currentTime: new Date(), hostname: os.hostname(), numCores: os.cpus().length },
    os: { type: os.type(), name: os.platform(), version: os.release() },
    ok: 1,
  });

const serverStatus: Answer = () =>
  serialize({
    host: os.hostname(),
    version: VERSION,
    process: 'mongos',
    pid: process.pid,
    uptime: process.uptime(),
    localTime: new Date(),
    ok: 1,
  });

const connectionStatus: Answer = () =>
  serialize({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 });

const getParameter: Answer = () =>
  serialize({ featureCompatibilityVersion: { version: '7.0' }, ok: 1 });

/** Commands that need neither engine nor session, by name in lower case: old and new spellings both occur. */
export const serverInfo: Record<string, Answer> = {
  hello,
  ismaster: hello,
  ping: ok,
  buildinfo: buildInfo,
  hostinfo: hostInfo,
  serverstatus: serverStatus,
  connectionstatus: connectionStatus,
  getparameter: getParameter,
  getcmdlineopts: () => serialize({ argv: [], parsed: {}, ok: 1 }),
  getlog: () => serialize({ totalLinesWritten: 0, log: [], ok: 1 }),
  whatsmyuri: () => serialize({ you: '127.0.0.1', ok: 1 }),
  startsession: ok,
  refreshsessions: ok,
  logout: ok,
};

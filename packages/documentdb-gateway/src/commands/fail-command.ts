import { setTimeout as pause } from 'node:timers/promises';
import { type Document, deserialize, serialize } from 'bson';
import { Codes, type ErrorCode, nameOfCode } from '../errors/codes';
import { CommandError, RETRYABLE_WRITE, TRANSIENT } from '../errors/command-error';
import type { Command } from '../wire/command';

/** What the tests of drivers ask for, as far as it is had here; `afterCommand` is ours. */
interface Failure {
  failCommands: readonly string[];
  errorCode?: number;
  errorLabels?: readonly string[];
  /** Of `{ code, errmsg? }`: the command is done, and its reply says that it may not last. */
  writeConcernError?: { code: number; errmsg?: string };
  closeConnection?: boolean;
  blockConnection?: boolean;
  blockTimeMS?: number;
  /** The command is done first, and fails then: its reply is what is lost. */
  afterCommand?: boolean;
}

const MEMBERS: readonly (keyof Failure)[] = [
  'failCommands',
  'errorCode',
  'errorLabels',
  'writeConcernError',
  'closeConnection',
  'blockConnection',
  'blockTimeMS',
  'afterCommand',
];

/** Which of the commands that match fail: after `skip` of them, `times` of them, each by its chance. */
interface Mode {
  skip: number;
  times: number;
  chance: number;
}

/** Errors after which a driver may send a write, or a commit, once more. */
const RETRYABLE_WRITES = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
/** Errors after which a driver may run a transaction once more, besides those above. */
const TRANSIENTS = new Set<number>([24, 112, 246, 251, 267]);
const ENDS = new Set(['commitTransaction', 'abortTransaction']);

/** The client connection that a command came over. */
interface Connection {
  destroy(): void;
}

/**
 * The fail point `failCommand` of MongoDB's own tests: makes commands fail on purpose, or their replies get lost. There
 * is one for the gateway, as there is one for a server; it is asked for by `configureFailPoint` on `admin`.
 */
export class FailCommand {
  private failure: Failure | null = null;
  private mode: Mode = { skip: 0, times: 0, chance: 1 };
  private hits = 0;

  /**
   * Sets the fail point, or takes it back (`mode: 'off'`).
   * @returns the reply, with how many commands the one before it made fail
   * @throws CommandError for what is not had here: a test must not go on without the fault it asked for
   */
  configure(command: Command): Uint8Array {
    if (command.db !== 'admin') {
      throw new CommandError(Codes.unauthorized, `${command.name} runs on the admin database only`);
    }
    const { mode, data = {} } = deserialize(command.spec);
    if (command.target !== 'failCommand') {
      throw new CommandError(Codes.badValue, `no such fail point: '${command.target}'`);
    }
    const read = readMode(mode);
    const failure = read && readFailure(data);
    const count = this.hits;
    this.hits = 0;
    this.failure = failure;
    if (read) this.mode = read;
    return serialize({ count, ok: 1 });
  }

  /** Answers a command, or lets it fail where it is its turn. */
  async around(
    command: Command,
    connection: Connection,
    answer: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const failure = this.failure;
    if (!failure?.failCommands.includes(command.name) || !this.isDue()) return answer();
    this.hits += 1;
    if (failure.blockConnection) await pause(failure.blockTimeMS ?? 0);
    const { writeConcernError } = failure;
    const runs = failure.afterCommand || writeConcernError || !isFailing(failure);
    const reply = runs ? await answer() : serialize({});
    if (failure.closeConnection) {
      connection.destroy();
      return reply;
    }
    if (failure.errorCode !== undefined) throw refusal(failure, failure.errorCode, command);
    return writeConcernError ? withWriteConcernError(reply, writeConcernError) : reply;
  }

  private isDue(): boolean {
    const { mode } = this;
    if (mode.skip > 0) {
      mode.skip -= 1;
      return false;
    }
    if (mode.times <= 0 || Math.random() >= mode.chance) return false;
    mode.times -= 1;
    return true;
  }
}

const isFailing = ({ closeConnection, errorCode }: Failure): boolean =>
  closeConnection === true || errorCode !== undefined;

function readMode(mode: unknown): Mode | null {
  const always = { skip: 0, times: Number.POSITIVE_INFINITY, chance: 1 };
  if (mode === 'off') return null;
  if (mode === 'alwaysOn') return always;
  const { times, skip, activationProbability: chance } = Object(mode) as Document;
  if (Number.isInteger(times) && times > 0) return { ...always, times };
  if (Number.isInteger(skip) && skip >= 0) return { ...always, skip };
  if (typeof chance === 'number' && chance >= 0 && chance <= 1) return { ...always, chance };
  throw new CommandError(Codes.badValue, `no such mode of a fail point: ${JSON.stringify(mode)}`);
}

function readFailure(data: Document): Failure {
  const unknown = Object.keys(data).filter((name) => !MEMBERS.includes(name as keyof Failure));
  if (unknown.length > 0) {
    throw new CommandError(Codes.badValue, `failCommand does not have ${unknown.join(', ')} here`);
  }
  if (!Array.isArray(data.failCommands)) {
    throw new CommandError(Codes.badValue, 'failCommand needs failCommands, an array of names');
  }
  return data as Failure;
}

function refusal({ errorLabels }: Failure, code: number, command: Command): CommandError {
  const error: ErrorCode = { code, codeName: nameOfCode(code) };
  const labels = errorLabels ?? usualLabels(code, command);
  return new CommandError(error, "Failing command via 'failCommand' failpoint", { labels });
}

/** The labels that a server gives such an error by itself. */
function usualLabels(code: number, { name, inTransaction, txnNumber }: Command): string[] {
  const isEnd = ENDS.has(name);
  if (RETRYABLE_WRITES.has(code) && (isEnd || (!inTransaction && txnNumber !== null)))
    return [RETRYABLE_WRITE];
  const isTransient = TRANSIENTS.has(code) || (RETRYABLE_WRITES.has(code) && !isEnd);
  return inTransaction && isTransient ? [TRANSIENT] : [];
}

function withWriteConcernError(
  reply: Uint8Array,
  { code, errmsg = '' }: { code: number; errmsg?: string },
): Uint8Array {
  const writeConcernError = { code, codeName: nameOfCode(code), errmsg };
  return serialize({ ...deserialize(reply, { promoteValues: false }), writeConcernError });
}

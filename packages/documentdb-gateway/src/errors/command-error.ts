import { serialize } from 'bson';
import { ConnectionLost, EngineError } from '../engine/failure';
import { MalformedBson } from '../wire/bson-scan';
import { Codes, codeOfState, type ErrorCode } from './codes';

/** Tells a driver that the whole transaction may be run again. */
export const TRANSIENT = 'TransientTransactionError';
/** Tells a driver that the write may be sent again: it was not done. */
export const RETRYABLE_WRITE = 'RetryableWriteError';
/** Tells a driver that only the commit may be sent again. */
export const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';

/** A command failed in a way that the client may hear of. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];
  /** Further fields of the reply, such as `keyPattern`. */
  readonly details: Record<string, unknown>;

  constructor(
    { code, codeName }: ErrorCode,
    message: string,
    { labels = [], details = {} }: Partial<Pick<CommandError, 'labels' | 'details'>> = {},
  ) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.codeName = codeName;
    this.labels = labels;
    this.details = details;
  }

  /** @returns the reply document */
  toReply(): Uint8Array {
    const { code, codeName, details } = this;
    const labels = this.labels.length > 0 ? { errorLabels: this.labels } : {};
    return serialize({ ok: 0, errmsg: this.message, code, codeName, ...details, ...labels });
  }
}

/** The transaction that a command names does not run (any more). */
export function noSuchTransaction(
  reason: string,
  labels: readonly string[] = [TRANSIENT],
): CommandError {
  return new CommandError(Codes.noSuchTransaction, reason, { labels });
}

const CONFLICT_STATES = new Set(['40001', '40P01', '55P03', 'M00EW', 'M00F1']);
/** Two clients made the same collection or index: the table exists by now, or rows of a system catalogue collided. */
const CREATION_STATES = new Set(['42P07', '42710', '23505', 'XX000']);
const CATALOGUE =
  /already exists|pg_(class|type|namespace|attribute|depend)_|collections_pkey|collections_collection_id_key|collection_index|tuple concurrently/;

/** An insert made its collection and did not find it in the extension's cache, as others were made or dropped beside it. */
const MADE_UNSEEN = 'Unable to create the specified collection';

/** States of a connection that failed. */
const CONNECTION_CLASS = '08';
/** The extension asks its own server over connections of libpq, and tells their loss as an internal error. */
const LIBPQ_LOST =
  /server closed the connection unexpectedly|could not (connect to|receive data from|send data to) server|connection to server .* failed/;

/** @returns whether the engine went away while it was at work */
function isEngineLost(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  if (!(error instanceof EngineError)) return false;
  const { sqlstate, message } = error;
  return (
    sqlstate.startsWith(CONNECTION_CLASS) || (sqlstate === 'XX000' && LIBPQ_LOST.test(message))
  );
}

/** A write outside a transaction that gave way to another and kept nothing: it is run again here, as MongoDB does. */
export class GaveWay extends CommandError {
  constructor(message: string) {
    super(Codes.writeConflict, message);
  }
}

/** @returns whether running the statement again can succeed, nothing of it having been kept */
export function isRetryable(error: unknown): boolean {
  if (error instanceof GaveWay) return true;
  if (!(error instanceof EngineError)) return false;
  if (CONFLICT_STATES.has(error.sqlstate)) return true;
  if (error.message === MADE_UNSEEN) return true;
  return CREATION_STATES.has(error.sqlstate) && CATALOGUE.test(error.message);
}

/**
 * @param inTransaction whether a multi-document transaction was open, which the error has ended
 * @returns what to tell the client of any failure
 */
export function toCommandError(error: unknown, inTransaction: boolean): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof MalformedBson) return new CommandError(Codes.failedToParse, error.message);
  if (isEngineLost(error)) {
    const { message } = error as Error;
    return new CommandError(Codes.interrupted, message, {
      labels: inTransaction ? [TRANSIENT] : [],
    });
  }
  if (!(error instanceof EngineError)) {
    return new CommandError(
      Codes.internalError,
      error instanceof Error ? error.message : String(error),
    );
  }
  if (isRetryable(error)) {
    const message = `Write conflict: ${error.message}`;
    return new CommandError(Codes.writeConflict, message, {
      labels: inTransaction ? [TRANSIENT] : [],
    });
  }
  const code = codeOfState(error.sqlstate);
  const ended = code === Codes.noSuchTransaction || code === Codes.interrupted;
  return new CommandError(code, error.message, {
    labels: inTransaction && ended ? [TRANSIENT] : [],
  });
}

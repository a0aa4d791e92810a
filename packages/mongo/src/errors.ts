interface ServerError {
  code?: number;
  keyPattern?: Record<string, unknown>;
  message: string;
  errorLabels?: string[];
  writeErrors?: unknown[];
  hasErrorLabel?: (label: string) => boolean;
}

const DUPLICATE_KEY = 11000;
const WRITE_CONFLICT = 112;

/** True when a unique index refused a write; with `field`, only when the index covers that field. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const candidate = error as ServerError | undefined;
  if (candidate?.code !== DUPLICATE_KEY) return false;
  if (field === undefined) return true;
  return candidate.keyPattern ? field in candidate.keyPattern : candidate.message.includes(field);
}

/** Whether all that a bulk write met was there already; a bulk error carries the code of its first fault only. */
function onlyDuplicates(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const faults = (error as { writeErrors?: { code?: number }[] }).writeErrors;
  return Array.isArray(faults) && faults.every((fault) => isDuplicateKey(fault));
}

/** Which writes of an unordered bulk, by their places in it, a unique index refused. Any other fault is thrown. */
export async function refusedAsDuplicates(
  write: () => Promise<unknown>,
): Promise<ReadonlySet<number>> {
  try {
    await write();
    return new Set();
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
    const { writeErrors } = error as { writeErrors: readonly { index: number }[] };
    return new Set(writeErrors.map(({ index }) => index));
  }
}

/** True when the server asks for the whole transaction to be run again. */
export function isTransient(error: unknown): boolean {
  const candidate = error as ServerError | undefined;
  return (
    candidate?.hasErrorLabel?.('TransientTransactionError') === true ||
    candidate?.code === WRITE_CONFLICT
  );
}

/** The driver could not reach a server, or lost it on the way; mongoose has a name of its own for that of a first connection. */
const DRIVER_FAULTS =
  /^Mongo(?:ose)?(Network|NetworkTimeout|ServerSelection|PoolCleared|PoolClosed|NotConnected|TopologyClosed)Error$/;
/** Every connection is at work, and none came free in time: that is slow, not away. */
const POOL_FULL = 'MongoWaitQueueTimeoutError';
/** A server that is starting, stopping, stepping down, has lost its own store, or has no disk left for it. */
const SERVER_AWAY = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);
const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';

/** Why the store did not do what it was asked, other than by saying no. */
export type StoreFault = 'away' | 'busy' | 'conflict';

/**
 * Tells faults that pass from all others (null): `away`, the store could not be asked, and what had been written may or
 * may not be there; `busy`, it had no room; `conflict`, the same rows were changed by others again and again, so that
 * nothing of the transaction was kept.
 */
export function storeFault(error: unknown): StoreFault | null {
  if (!(error instanceof Error)) return null;
  const candidate = error as Error & ServerError;
  if (error.name === POOL_FULL) return 'busy';
  if (
    DRIVER_FAULTS.test(error.name) ||
    SERVER_AWAY.has(candidate.code ?? 0) ||
    candidate.hasErrorLabel?.(UNKNOWN_COMMIT) === true ||
    isCutShort(candidate)
  )
    return 'away';
  return isTransient(error) ? 'conflict' : null;
}

/**
 * Whether a failure of several who write together may be the fault of some of them: a store that is away or full, or a
 * commit whose end is unknown, is not.
 */
export function isOfSome(error: unknown): boolean {
  const fault = storeFault(error);
  return fault === null || fault === 'conflict';
}

const NO_SUCH_TRANSACTION = 251;

/**
 * True when a commit ended without anybody knowing how. A server that has forgotten the transaction by the time the
 * driver asks again says so without the label that would allow to run it anew.
 */
export function isUnknownCommit(error: unknown): boolean {
  const candidate = error as ServerError | undefined;
  return (
    candidate?.hasErrorLabel?.(UNKNOWN_COMMIT) === true ||
    (candidate?.code === NO_SUCH_TRANSACTION && !isTransient(error))
  );
}

/** A bulk write that failed as a whole, without a verdict on any of its writes. */
function isCutShort({ name, code, writeErrors = [] }: Error & ServerError): boolean {
  return name === 'MongoBulkWriteError' && code === undefined && writeErrors.length === 0;
}

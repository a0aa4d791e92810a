interface ServerError {
  code?: number;
  keyPattern?: Record<string, unknown>;
  message: string;
  errorLabels?: string[];
  writeErrors?: unknown[];
  hasErrorLabel?: (label: string) => boolean;
}

const DUPLICATE_KEY = 11000;

/** True when a unique index refused a write; with `field`, only when the index covers that field. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const candidate = error as ServerError | undefined;
  if (candidate?.code !== DUPLICATE_KEY) return false;
  if (field === undefined) return true;
  return candidate.keyPattern ? field in candidate.keyPattern : candidate.message.includes(field);
}

/** True when the server asks for the whole transaction to be run again. */
export function isTransient(error: unknown): boolean {
  const candidate = error as ServerError | undefined;
  return (
    candidate?.hasErrorLabel?.('TransientTransactionError') === true || candidate?.code === 112
  );
}

/** The driver could not reach a server, or lost it on the way. */
const DRIVER_FAULTS =
  /^Mongo(Network|NetworkTimeout|ServerSelection|PoolCleared|PoolClosed|NotConnected|TopologyClosed|WaitQueueTimeout)Error$/;
/** A server that is starting, stopping, stepping down, or has lost its own store. */
const SERVER_AWAY = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);
/** What outlasted every attempt: whether it was done is not known, or it gave way to others too often. */
const UNSETTLED = ['UnknownTransactionCommitResult', 'TransientTransactionError'];

/**
 * True when the store could not be asked, not when it said no: the same call may succeed a little later. What had
 * been written when it went away may or may not be there.
 */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const candidate = error as Error & ServerError;
  return (
    DRIVER_FAULTS.test(error.name) ||
    SERVER_AWAY.has(candidate.code ?? 0) ||
    UNSETTLED.some((label) => candidate.hasErrorLabel?.(label) === true) ||
    isCutShort(candidate)
  );
}

/** A bulk write that failed as a whole, without a verdict on any of its writes. */
function isCutShort({ name, code, writeErrors = [] }: Error & ServerError): boolean {
  return name === 'MongoBulkWriteError' && code === undefined && writeErrors.length === 0;
}

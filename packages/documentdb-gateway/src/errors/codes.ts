/**
 * What the engine's error states mean to a MongoDB client. The extension's own states (M....) and PostgreSQL's share
 * one table; a state that is not in it is judged by its first character in `codeOfState`.
 */

/** A MongoDB error: number and symbolic name. */
export interface ErrorCode {
  code: number;
  codeName: string;
}

const named = (code: number, codeName: string): ErrorCode => ({ code, codeName });

/** The codes that the gateway itself answers with. */
export const Codes = {
  internalError: named(1, 'InternalError'),
  badValue: named(2, 'BadValue'),
  failedToParse: named(9, 'FailedToParse'),
  unauthorized: named(13, 'Unauthorized'),
  typeMismatch: named(14, 'TypeMismatch'),
  illegalOperation: named(20, 'IllegalOperation'),
  cursorNotFound: named(43, 'CursorNotFound'),
  cursorInUse: named(143, 'CursorInUse'),
  namespaceExists: named(48, 'NamespaceExists'),
  maxTimeExpired: named(50, 'MaxTimeMSExpired'),
  commandNotFound: named(59, 'CommandNotFound'),
  shutdownInProgress: named(91, 'ShutdownInProgress'),
  writeConflict: named(112, 'WriteConflict'),
  commandNotSupported: named(115, 'CommandNotSupported'),
  conflictingOperation: named(117, 'ConflictingOperationInProgress'),
  transactionTooOld: named(225, 'TransactionTooOld'),
  noSuchTransaction: named(251, 'NoSuchTransaction'),
  transactionCommitted: named(256, 'TransactionCommitted'),
  exceededTimeLimit: named(262, 'ExceededTimeLimit'),
  notSupportedInTransaction: named(263, 'OperationNotSupportedInTransaction'),
  objectTooLarge: named(10334, 'BSONObjectTooLarge'),
  interrupted: named(11600, 'InterruptedAtShutdown'),
  duplicateKey: named(11000, 'DuplicateKey'),
} as const;

const STATES: Record<string, ErrorCode> = {
  // PostgreSQL
  '23505': Codes.duplicateKey, // unique violation
  '23P01': Codes.duplicateKey, // exclusion violation: how the extension enforces secondary unique indexes
  '40001': Codes.writeConflict, // serialization failure
  '40P01': Codes.writeConflict, // deadlock
  '55P03': Codes.writeConflict, // lock not available
  '57014': Codes.maxTimeExpired, // statement timeout, or cancelled
  '25P02': Codes.noSuchTransaction, // in a failed transaction
  '25P03': Codes.noSuchTransaction, // idle in transaction timeout
  '25P04': Codes.noSuchTransaction, // transaction timeout
  '57P01': Codes.interrupted, // shutdown
  '57P02': Codes.interrupted, // crash of another backend
  '57P03': Codes.shutdownInProgress, // starting up or shutting down
  '53300': Codes.shutdownInProgress, // too many connections
  '53100': named(14031, 'OutOfDiskSpace'),
  '53200': named(146, 'ExceededMemoryLimit'),
  '54000': named(201, 'CannotBuildIndexKeys'),
  '42P01': named(26, 'NamespaceNotFound'),
  '42P07': Codes.namespaceExists,
  '42501': Codes.unauthorized,
  '0A000': Codes.commandNotSupported,
  '22P02': Codes.failedToParse,
  '22023': Codes.badValue,
  // The extension
  M0000: Codes.internalError,
  M0001: Codes.badValue,
  M0002: named(5, 'GraphContainsCycle'),
  M0003: Codes.failedToParse,
  M0004: Codes.typeMismatch,
  M0005: named(15, 'Overflow'),
  M0006: Codes.illegalOperation,
  M0007: named(23, 'AlreadyInitialized'),
  M0008: named(26, 'NamespaceNotFound'),
  M0009: named(27, 'IndexNotFound'),
  M000A: named(28, 'PathNotViable'),
  M000C: named(34, 'CannotBackfillArray'),
  M000D: named(40, 'ConflictingUpdateOperators'),
  M000E: Codes.cursorNotFound,
  M000F: Codes.namespaceExists,
  M000G: named(52, 'DollarPrefixedFieldName'),
  M000H: named(53, 'CanNotBeTypeArray'),
  M000I: named(54, 'NotSingleValueField'),
  M000J: named(56, 'EmptyFieldName'),
  M000K: named(57, 'DottedFieldName'),
  M000M: named(66, 'ImmutableField'),
  M000N: named(67, 'CannotCreateIndex'),
  M000O: named(68, 'IndexAlreadyExists'),
  M000P: named(72, 'InvalidOptions'),
  M000Q: named(73, 'InvalidNamespace'),
  M000R: named(85, 'IndexOptionsConflict'),
  M000S: named(86, 'IndexKeySpecsConflict'),
  M000T: named(111, 'NotExactValueField'),
  M000U: Codes.commandNotSupported,
  M000W: named(146, 'ExceededMemoryLimit'),
  M000X: named(159, 'DurationOverflow'),
  M000Y: named(165, 'ViewDepthLimitExceeded'),
  M000Z: named(166, 'CommandNotSupportedOnView'),
  M0010: named(167, 'OptionNotSupportedOnView'),
  M0011: named(181, 'AmbiguousIndexKeyPattern'),
  M0012: named(197, 'InvalidIndexSpecificationOption'),
  M0013: named(224, 'QueryFeatureNotAllowed'),
  M0014: named(232, 'MaxSubPipelineDepthExceeded'),
  M0015: named(241, 'ConversionFailure'),
  M0016: Codes.notSupportedInTransaction,
  M0017: named(276, 'IndexBuildAborted'),
  M0018: named(291, 'UnableToFindIndex'),
  M0019: named(361, 'CollectionUUIDMismatch'),
  M001B: Codes.objectTooLarge,
  M001C: Codes.duplicateKey,
  M001D: named(12587, 'BackgroundOperationInProgressForNamespace'),
  M001I: named(13297, 'DatabaseDifferCase'),
  M003A: named(17419, 'Location17419'), // a document that an update would make too large
  M005E: named(31325, 'Location31325'), // unknown expression
  M007U: named(40324, 'Location40324'), // unrecognised pipeline stage
  M0087: named(40414, 'Location40414'), // required field missing
  M0088: named(40415, 'Location40415'), // unknown field
  M0089: named(40485, 'Location40485'), // unknown time zone
  M009H: named(51091, 'Location51091'), // broken regular expression
  M00CO: named(121, 'DocumentValidationFailure'),
  M00EL: Codes.cursorInUse,
  M00ER: Codes.unauthorized,
  M00EW: Codes.writeConflict, // lock timeout
  M00EX: Codes.maxTimeExpired,
  M00EY: Codes.commandNotFound,
  M00F1: Codes.writeConflict,
  M00F4: named(201, 'CannotBuildIndexKeys'),
  M00F6: Codes.noSuchTransaction,
};

const UNKNOWN_REFUSAL = named(96, 'OperationFailed');
const CHARACTERS = 5;
const BITS_PER_CHARACTER = 6;
const MASK = 0x3f;
const FIRST_CHARACTER = '0'.charCodeAt(0);

/** Errors of a replica set, of which one gateway has none by itself. */
const OF_REPLICA_SETS = [
  named(6, 'HostUnreachable'),
  named(7, 'HostNotFound'),
  named(24, 'LockTimeout'),
  named(89, 'NetworkTimeout'),
  named(189, 'PrimarySteppedDown'),
  named(246, 'SnapshotUnavailable'),
  named(9001, 'SocketException'),
  named(10107, 'NotWritablePrimary'),
  named(11602, 'InterruptedDueToReplStateChange'),
  named(13435, 'NotPrimaryNoSecondaryOk'),
  named(13436, 'NotPrimaryOrSecondary'),
];

/** @returns the symbolic name of an error's number, MongoDB's `Location` for one without a name */
export function nameOfCode(code: number): string {
  const known = [...Object.values(Codes), ...Object.values(STATES), ...OF_REPLICA_SETS];
  return known.find((error) => error.code === code)?.codeName ?? `Location${code}`;
}

/** @returns the MongoDB error of an engine's error state */
export function codeOfState(sqlstate: string): ErrorCode {
  return STATES[sqlstate] ?? (sqlstate.startsWith('M') ? UNKNOWN_REFUSAL : Codes.internalError);
}

/**
 * Errors inside a reply (`writeErrors`) carry their state packed into an integer, six bits a character; some carry a
 * MongoDB code as it is.
 * @returns the MongoDB error
 */
export function codeInReply(packed: number): ErrorCode {
  const known = STATES[unpackState(packed)];
  if (known) return known;
  const isPacked = packed >= 1 << (BITS_PER_CHARACTER * (CHARACTERS - 1));
  return isPacked ? codeOfState(unpackState(packed)) : named(packed, `Location${packed}`);
}

/** @returns the five characters of a packed state */
export function unpackState(packed: number): string {
  const characters = Array.from(
    { length: CHARACTERS },
    (_, index) => ((packed >> (index * BITS_PER_CHARACTER)) & MASK) + FIRST_CHARACTER,
  );
  return String.fromCharCode(...characters);
}

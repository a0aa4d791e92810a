interface ServerError {
  code?: number;
  keyPattern?: Record<string, unknown>;
  message: string;
  errorLabels?: string[];
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

import type { LaurelReason } from './generated/types';

/** One thing that is wrong with a call. */
export interface Problem {
  message: string;
  /** What a program goes by, such as `INVALID_PAYLOAD`. */
  code: string;
  /** The dotted path of the member that is wrong. */
  field?: string;
  /** The case of the code, as one word, where it has one: `insufficient_balance`. */
  reason?: LaurelReason;
  [extension: string]: unknown;
}

export interface Refused {
  status: number;
  problems: readonly Problem[];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
  idempotencyKey?: string | undefined;
}

/** The platform said no. `code` and `reason` say why, `problems` all that is wrong with a body. */
export class LaurelError extends Error {
  override readonly name = 'LaurelError';
  readonly status: number;
  readonly problems: readonly Problem[];
  /** Names the call in the platform's logs. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /**
   * Where the platform refused for now (5xx, 429, a key that is still being worked on): the key that makes a later repeat safe,
   * for a try without an answer may have been carried out.
   */
  readonly idempotencyKey: string | undefined;

  constructor({ status, problems, requestId, retryAfterSeconds, idempotencyKey }: Refused) {
    super(problems.map(({ message }) => message).join('; ') || `HTTP ${status}`);
    this.status = status;
    this.problems = problems;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
  }

  get code(): string {
    return this.problems[0]?.code ?? `HTTP_${this.status}`;
  }

  get reason(): LaurelReason | undefined {
    return this.problems[0]?.reason;
  }

  /** What is wrong with each member of the body: `{ name: 'name is required' }`. */
  get fields(): Record<string, string> {
    return Object.fromEntries(
      this.problems.flatMap(({ field, message }) =>
        field === undefined ? [] : [[field, message]],
      ),
    );
  }
}

/** Like `instanceof`, also where a program holds two copies of this package. */
export function isLaurelError(error: unknown): error is LaurelError {
  return error instanceof Error && error.name === 'LaurelError' && 'problems' in error;
}

/**
 * No answer came: no network, or the time was up. Whether anything happened is unknown; the same call with the same
 * `idempotencyKey` is safe.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    message: string,
    readonly idempotencyKey: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The three forms in which the platform refuses, known by their shape, as one. */
export function problemsOf(body: unknown, status: number): Problem[] {
  const { errors, error } = (typeof body === 'object' && body !== null ? body : {}) as Body;
  if (Array.isArray(errors)) return errors.map(problemOf);
  if (typeof error === 'string')
    return [
      { message: error, code: `HTTP_${status}`, ...(/\s/.test(error) ? {} : { reason: error }) },
    ];
  if (!error) return [{ message: `HTTP ${status}`, code: `HTTP_${status}` }];
  const { details, ...problem } = error;
  return details?.length ? details.map(problemOf) : [problem];
}

interface Entry {
  message: string;
  extensions: { code: string };
}
interface Body {
  errors?: Entry[];
  error?: string | (Problem & { details?: Entry[] });
}

const problemOf = ({ message, extensions }: Entry): Problem => ({ ...extensions, message });

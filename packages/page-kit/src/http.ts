import { noteClock } from './clock';

/** One thing that is wrong, and where. */
interface Problem {
  message: string;
  field?: string;
  /** The case of the code, as one word, where it has one. */
  reason?: string;
}

/** What the platform refused; status 0 when it could not be reached. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];
  /** Whole seconds after which it is worth trying again, where the platform said so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    {
      problems = [],
      retryAfterSeconds = null,
    }: { problems?: readonly Problem[]; retryAfterSeconds?: number | null } = {},
  ) {
    super(problems[0]?.message ?? code);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The case of the code, where it has one. */
  get reason(): string | undefined {
    return this.problems[0]?.reason;
  }

  /** The sentence about a field, if it is this one that is wrong. */
  about(field: string): string | undefined {
    return this.problems.find((problem) => problem.field === field)?.message;
  }

  /** Whether it is not decided yet, or unknown: the same wish is to be sent again under its key. */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500 || this.retryAfterSeconds !== null;
  }
}

export type Send = typeof fetch;

/** Unlike a lost connection, a server that never answers would be waited for without end. */
const ANSWER_MS_MAX = 30_000;

/** What a request of a page carries, and who hears of its answer. */
export interface Carried {
  body?: object;
  headers?: Record<string, string>;
  /** Hears of the headers of an answer that is no refusal. */
  onAnswer?: (headers: Response['headers']) => void;
}

/**
 * Sends a request of a page and reads the answer; a page says of itself that it is one (`X-Laurel-Page`).
 *
 * @returns the body, empty where there is none
 * @throws Refused
 */
export async function sendJson<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  {
    body,
    headers = {},
    onAnswer,
    send = (...request) => fetch(...request),
  }: Carried & { send?: Send } = {},
): Promise<T> {
  const sentAt = Date.now();
  const response = await send(path, {
    method,
    headers: {
      'X-Laurel-Page': '1',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Refused(0, 'UNREACHABLE');
  });
  const answer = await response.json().catch(isUnreadable);
  // Of an answer that is the platform's: another that stands in its place has a clock of its own.
  if (answer !== undefined) noteClock(response, { sentAt });
  if (!response.ok) throw refusedBy(response, answer ?? {});
  if (answer !== undefined || response.status === NO_CONTENT) {
    onAnswer?.(response.headers);
    return (answer === undefined ? {} : answer) as T;
  }
  // The line broke in the middle of it, or a network that asks for a login answered in our place: what became of it is open.
  throw new Refused(0, 'UNREACHABLE');
}

const NO_CONTENT = 204;
const isUnreadable = (): undefined => undefined;

function refusedBy(response: Response, answer: unknown): Refused {
  const { errors = [] } = answer as {
    errors?: { message: string; extensions: { code: string; field?: string; reason?: string } }[];
  };
  const problems = errors.map(({ message, extensions: { field, reason } }) => ({
    message,
    ...(field === undefined ? {} : { field }),
    ...(reason === undefined ? {} : { reason }),
  }));
  const wait = Number(response.headers.get('retry-after'));
  const retryAfterSeconds = Number.isFinite(wait) && wait > 0 ? wait : null;
  const code = errors[0]?.extensions.code ?? 'UNREADABLE';
  return new Refused(response.status, code, { problems, retryAfterSeconds });
}

import pino, { type Logger } from 'pino';
import { currentContext, hasContext } from './context';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'code',
  'cookie',
  'x-client-token',
  'x-mobile-token',
];
const PERSONAL_FIELDS = ['email', 'phone', 'first_name', 'last_name', 'birth_date'];

/**
 * JSON lines with the request id of the work at hand. Secrets and personal data are cut out wherever
 * they stand in the first three levels of what is logged.
 */
export function createLogger(
  service: string,
  level = 'info',
  destination?: pino.DestinationStream,
): Logger {
  const names = [...SECRET_FIELDS, ...PERSONAL_FIELDS].map((name) => `["${name}"]`);
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: names.flatMap((name) => [name.slice(0), `*${name}`, `*.*${name}`]),
      censor: (value, path) => (isFaultCode(value, path) ? value : '[redacted]'),
    },
    mixin: () => {
      if (!hasContext()) return {};
      const { requestId, workspaceId } = currentContext();
      return {
        request_id: requestId,
        ...(workspaceId === null ? {} : { workspace_id: workspaceId }),
      };
    },
    serializers: { err: describeError, error: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * ECONNREFUSED, UND_ERR_SOCKET, 11000 and the like say what failed. A code that somebody types in is text with digits
 * in it; who holds it does not tell them apart, for the path has no name where a pattern stands for it.
 */
function isFaultCode(value: unknown, path: readonly string[]): boolean {
  if (path.at(-1) !== 'code' || path.length === 1) return false;
  return typeof value === 'number'
    ? value < 100_000
    : /^(E[A-Z]{3,}|[A-Z]+(_[A-Z]+)+)$/.test(String(value));
}

/** A store says with a duplicate key what the key was: an address of somebody, the digest of a token. */
const withoutKeys = (text: string | undefined) =>
  text?.replace(/dup key: \{.*\}/g, 'dup key: [redacted]');

/** A fault for the log: its kind, sentence and where it happened, without the values it carried. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: withoutKeys(String(error)) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message: withoutKeys(message),
    ...(code === undefined ? {} : { code }),
    stack: withoutKeys(stack),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

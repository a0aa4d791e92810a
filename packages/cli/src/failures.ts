import { ConnectionError, isLaurelError, type LaurelError } from '@laurel/client';
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes';
import { harmless } from './harmless';
import type { Terminal } from './terminal';

/** Called in a way that cannot be meant. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** No user is signed in, or there is no workspace to work in. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** What was checked does not hold; the command has said what. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

/** There is something to do; the command has said what. */
export class HasChanges extends Error {}

/** How the command that failed was called. */
interface Calling {
  isJson: boolean;
  /** Whether it can be repeated under a key. */
  takesKey: boolean;
}

/** Says what went wrong, on one line each, and how the program ends. For people Commander has said what it refuses. */
export function tellFailure(
  terminal: Terminal,
  error: unknown,
  { isJson, takesKey }: Calling,
): number {
  if (error instanceof CommanderError) {
    if (isJson && !isHelp(error)) {
      const data = { name: UsageError.name, message: error.message.replace(/^error: /, '') };
      terminal.err(`${JSON.stringify({ error: data })}\n`);
    }
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  if (error instanceof HasChanges) return EXIT.changes;
  const { code, lines } = read(error, { env: terminal.env, takesKey });
  if (isJson && lines.length > 0) terminal.err(`${JSON.stringify({ error: asData(error) })}\n`);
  else for (const line of lines) terminal.err(`${harmless(line)}\n`);
  return code;
}

/** Help and the version, asked for or shown where no command was named: Commander has said it. */
const isHelp = ({ code }: CommanderError): boolean => /help|version/i.test(code);

type Known = Pick<Terminal, 'env'> & Pick<Calling, 'takesKey'>;

function read(error: unknown, known: Known): { code: number; lines: string[] } {
  if (isLaurelError(error)) return refusal(error, known);
  const { message } = error as Error;
  // The command has said it.
  if (error instanceof Failed && message === '') return { code: EXIT.refused, lines: [] };
  if (error instanceof ConnectionError)
    return {
      code: EXIT.notReachable,
      lines: [`✗ the platform gave no answer: ${message}`, ...again(error, known)],
    };
  if (error instanceof NotSignedIn) return { code: EXIT.notSignedIn, lines: [`✗ ${message}`] };
  if (error instanceof UsageError) return { code: EXIT.usage, lines: [`✗ ${message}`] };
  return { code: EXIT.refused, lines: [`✗ ${wordsOf(error as Error)}`] };
}

/** Of what other libraries throw the message may be empty, or say no more than `terminated`: its cause tells why. */
function wordsOf({ name, message, cause }: Error): string {
  const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
  return (message || name) + why;
}

function again(
  { idempotencyKey: key }: Pick<LaurelError, 'idempotencyKey'>,
  { takesKey }: Known,
): string[] {
  if (key === undefined) return [];
  const unknown = '  Whether it happened is unknown.';
  return [takesKey ? `${unknown} It is safe to do it again with --key ${key}` : unknown];
}

function refusal(error: LaurelError, known: Known) {
  const { status, problems, message, requestId } = error;
  const said = problems.map(({ message: text, field, reason }) => {
    const more = [field && !text.includes(field) ? `field ${field}` : '', reason ?? ''];
    const words = more.filter(Boolean).join(', ');
    return `✗ ${text}${words ? ` (${words})` : ''}`;
  });
  const lines = [
    ...(said.length > 0 ? said : [`✗ ${message}`]),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
    ...(status === 401 ? [known.env.LAUREL_TOKEN ? USES_VARIABLE : SIGN_IN] : []),
    ...again(error, known),
  ];
  return { code: status === 401 ? EXIT.notSignedIn : EXIT.refused, lines };
}

const SIGN_IN = '  Sign in again: laurel login';
/** It goes before what a new sign-in keeps, which would therefore change nothing. */
const USES_VARIABLE = '  It is the token in LAUREL_TOKEN: set another one there, or none';

function asData(error: unknown): object {
  if (isLaurelError(error)) {
    const { status, code, problems, requestId, idempotencyKey } = error;
    return { status, code, problems, request_id: requestId, idempotency_key: idempotencyKey };
  }
  const { name, message } = error as Error;
  if (error instanceof ConnectionError)
    return { name, message, idempotency_key: error.idempotencyKey };
  return { name, message: wordsOf(error as Error) };
}

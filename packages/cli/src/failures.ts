import { ConnectionError, isLaurelError, type LaurelError } from '@laurel/client';
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes';
import { harmless } from './harmless';
import type { Terminal } from './terminal';

/** Called in a way that cannot be meant. */
export class UsageError extends Error {}

/** No user is signed in, or there is no workspace to work in. */
export class NotSignedIn extends Error {}

/** What was checked does not hold; the command has said what. */
export class Failed extends Error {}

/** There is something to do; the command has said what. */
export class HasChanges extends Error {}

/** Says what went wrong, on one line each, and how the program ends. For people Commander has said what it refuses. */
export function tellFailure(terminal: Terminal, error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError) {
    if (isJson && !isHelp(error)) {
      const data = { name: UsageError.name, message: error.message.replace(/^error: /, '') };
      terminal.err(`${JSON.stringify({ error: data })}\n`);
    }
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  if (error instanceof HasChanges) return EXIT.changes;
  const { code, lines } = read(error, terminal.env);
  if (isJson && lines.length > 0) terminal.err(`${JSON.stringify({ error: asData(error) })}\n`);
  else for (const line of lines) terminal.err(`${harmless(line)}\n`);
  return code;
}

/** Help and the version, asked for or shown where no command was named: Commander has said it. */
const isHelp = ({ code }: CommanderError): boolean => /help|version/i.test(code);

function read(error: unknown, env: Terminal['env']): { code: number; lines: string[] } {
  if (isLaurelError(error)) return refusal(error, env);
  const { message } = error as Error;
  if (error instanceof ConnectionError)
    return {
      code: EXIT.notReachable,
      lines: [`✗ the platform gave no answer: ${message}`, ...againWith(error.idempotencyKey)],
    };
  if (error instanceof NotSignedIn) return { code: EXIT.notSignedIn, lines: [`✗ ${message}`] };
  if (error instanceof UsageError) return { code: EXIT.usage, lines: [`✗ ${message}`] };
  return { code: EXIT.refused, lines: message === '' ? [] : [`✗ ${message}`] };
}

const againWith = (key: string | undefined): string[] =>
  key === undefined
    ? []
    : [`  Whether it happened is unknown. It is safe to do it again with --key ${key}`];

function refusal(
  { status, problems, message, requestId, idempotencyKey }: LaurelError,
  env: Terminal['env'],
) {
  const said = problems.map(({ message: text, field, reason }) => {
    const more = [field && !text.includes(field) ? `field ${field}` : '', reason ?? ''];
    const words = more.filter(Boolean).join(', ');
    return `✗ ${text}${words ? ` (${words})` : ''}`;
  });
  const lines = [
    ...(said.length > 0 ? said : [`✗ ${message}`]),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
    ...(status === 401 ? [env.LAUREL_TOKEN ? USES_VARIABLE : '  Sign in again: laurel login'] : []),
    ...againWith(idempotencyKey),
  ];
  return { code: status === 401 ? EXIT.notSignedIn : EXIT.refused, lines };
}

/** It goes before what a new sign-in keeps, which would therefore change nothing. */
const USES_VARIABLE = '  It is the token in LAUREL_TOKEN: set another one there, or none';

function asData(error: unknown): object {
  if (isLaurelError(error)) {
    const { status, code, problems, requestId, idempotencyKey } = error;
    return { status, code, problems, request_id: requestId, idempotency_key: idempotencyKey };
  }
  const { name, message } = error as Error;
  const key = error instanceof ConnectionError ? error.idempotencyKey : undefined;
  return { name, message, idempotency_key: key };
}

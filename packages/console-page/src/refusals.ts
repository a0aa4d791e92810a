import { ConnectionError, isLaurelError, LaurelError, type Problem } from '@laurel/client';
import { Refused } from '@laurel/page-kit/http';
import { inWords, reasonInWords } from './in-words';
import type { Say, WordKey } from './language';

const BY_CODE: Readonly<Record<string, WordKey>> = {
  RATE_LIMITED: 'refused.limited',
  SERVICE_UNAVAILABLE: 'refused.away',
  UNREACHABLE: 'refused.unreachable',
  INVALID_CREDENTIALS: 'refused.credentials',
  FORBIDDEN: 'refused.forbidden',
  NOT_FOUND: 'refused.notFound',
};

/** What went wrong, in words of ours, else in the platform's. */
export function sayRefused(say: Say, error: unknown): string {
  if (error instanceof ConnectionError) return say('refused.unreachable');
  if (error instanceof Refused) {
    const known = BY_CODE[error.code];
    return known ? say(known, { seconds: error.retryAfterSeconds ?? 60 }) : error.message;
  }
  if (!isLaurelError(error)) return say('refused.other');
  const reason = reasonInWords(say, error.reason);
  if (reason) return reason;
  const known = BY_CODE[error.code];
  if (known) return say(known, { seconds: error.retryAfterSeconds ?? 60 });
  return error.status >= 500 ? say('refused.other') : (inWords(say, error) as Error).message;
}

const isAbout = (problem: Problem, field: string): boolean =>
  problem.field === field || problem.field?.startsWith(`${field}.`) === true;

/** What is wrong with a field of a form, where the platform named it or something in it. */
export function troubleOf(error: unknown, field: string): string | undefined {
  if (!isLaurelError(error)) return undefined;
  return error.problems.find((problem) => isAbout(problem, field))?.message;
}

/**
 * What of a refusal no field says, to be said beside the form; null where fields say all of it.
 *
 * @param shown the fields that stand on the page by now and say what is wrong with them
 */
export function unsaidBy(shown: readonly string[], error: unknown): unknown {
  if (!isLaurelError(error)) return error;
  const { status, requestId, retryAfterSeconds } = error;
  const problems = error.problems.filter(
    (problem) => !shown.some((field) => isAbout(problem, field)),
  );
  if (problems.length === error.problems.length) return error;
  if (problems.length === 0) return null;
  return new LaurelError({ status, problems, requestId, retryAfterSeconds });
}

/** What is wrong with the members of a row of a list. */
export interface RowTrouble {
  at(member: string): string | undefined;
  /** Of the row where no field of it says it. */
  rest: string | undefined;
}

/** @param shown the members that have a field */
export function troubleOfRow(error: unknown, row: string, shown: readonly string[]): RowTrouble {
  const at = (member: string) => troubleOf(error, `${row}.${member}`);
  const isAtField = shown.some((member) => at(member) !== undefined);
  return { at, rest: isAtField ? undefined : troubleOf(error, row) };
}

/** Names the call in the platform's logs, for a member who asks for help. */
export const requestIdOf = (error: unknown): string | undefined =>
  isLaurelError(error) ? error.requestId : undefined;

/** Whether it is unknown if it happened: the same wish is to be sent again under its key. */
export const isOpen = (error: unknown): boolean =>
  !isLaurelError(error) || error.status >= 500 || error.retryAfterSeconds !== undefined;

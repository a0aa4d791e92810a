import { Refused } from '@laurel/page-kit';
import type { Language, WordKey } from './language';

const BY_CODE: Readonly<Record<string, WordKey>> = {
  INVALID_CREDENTIALS: 'refused.credentials',
  RATE_LIMITED: 'refused.limited',
  SERVICE_UNAVAILABLE: 'refused.away',
  UNREACHABLE: 'refused.unreachable',
};

/** The platform's sentences about fields that people here fill in, in their language. */
const BY_SENTENCE: readonly [RegExp, WordKey][] = [
  [/already has an account/, 'refused.taken'],
  [/registration is closed/, 'refused.closed'],
  [/common ones/, 'refused.common'],
];

/** What went wrong, in words of ours, else in the platform's. */
export function sayRefused({ say }: Language, error: unknown): string {
  if (!(error instanceof Refused)) return say('refused.other');
  const known = BY_CODE[error.code] ?? sentenceOf(error.message);
  if (known) return say(known, { seconds: error.retryAfterSeconds ?? 60 });
  return error.status >= 500 ? say('refused.other') : error.message;
}

/** What is wrong with a field. */
export function sayTrouble({ say }: Language, error: unknown, field: string): string | undefined {
  const sentence = error instanceof Refused ? error.about(field) : undefined;
  if (sentence === undefined) return undefined;
  const known = sentenceOf(sentence);
  return known ? say(known) : sentence;
}

const sentenceOf = (sentence: string): WordKey | undefined =>
  BY_SENTENCE.find(([pattern]) => pattern.test(sentence))?.[1];

/** Whether a link in a mail is worth nothing any more. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof Refused && [400, 404].includes(error.status);

import { type Json, type Problem, Refusal } from './refusal';

/** A Refusal as it travels between processes. */
export interface EncodedRefusal {
  code: string;
  http_status: number;
  problems: Problem[];
  retry_after_seconds?: number;
}

/** So many problems does one answer name (part 4, section 1). */
export const PROBLEMS_MAX = 20;
const MESSAGE_MAX = 1_000;
const FIELD_MAX = 300;
/** What a cut may leave at the end. */
const HALF_A_PAIR = /[\uD800-\uDBFF]$/;
/** Of all problems together, as JSON in UTF-8. */
const BYTES_MAX = 24 * 1024;

/**
 * A refusal travels in the trailers of its answer, which the other end takes up to 64 KiB of: more would end the
 * connection that all calls to a service share. What repeats words of the request is therefore cut, and what is still
 * too much is left out, but never the first problem's sentence.
 */
export function encodeRefusal(refusal: Refusal): EncodedRefusal {
  const encoded: EncodedRefusal = {
    code: refusal.code,
    http_status: refusal.httpStatus,
    problems: fitting(refusal.problems.slice(0, PROBLEMS_MAX).map(shortened)),
  };
  if (refusal.retryAfterSeconds !== undefined)
    encoded.retry_after_seconds = refusal.retryAfterSeconds;
  return encoded;
}

function shortened({ message, field, extensions }: Problem): Problem {
  return {
    message: cut(message, MESSAGE_MAX),
    ...(field === undefined ? {} : { field: cut(field, FIELD_MAX) }),
    ...(extensions === undefined ? {} : { extensions }),
  };
}

/** A text of at most that length, with an ellipsis where it was longer, and never with half a character at its end. */
export function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax
    ? text
    : `${text.slice(0, lengthMax - 1).replace(HALF_A_PAIR, '')}…`;
}

function fitting(problems: Problem[]): Problem[] {
  const fit: Problem[] = [];
  let left = BYTES_MAX;
  for (const problem of problems) {
    const bytes = Buffer.byteLength(JSON.stringify(problem));
    if (bytes <= left) fit.push(problem);
    else if (fit.length === 0) {
      const { extensions: _tooLarge, ...words } = problem;
      fit.push(words);
    }
    left -= bytes;
    if (left <= 0) break;
  }
  return fit;
}

export function decodeRefusal(encoded: EncodedRefusal): Refusal {
  return new Refusal(
    { code: encoded.code, httpStatus: encoded.http_status },
    encoded.problems,
    encoded.retry_after_seconds,
  );
}

/** The `errors` entries of an answer: `{ message, extensions: { code, field?, ... } }` (part 3, section 1.1). */
export function errorEntries(
  refusal: Refusal,
): { message: string; extensions: { [key: string]: Json } }[] {
  return refusal.problems.map(({ message, field, extensions }) => ({
    message,
    extensions: { code: refusal.code, ...(field === undefined ? {} : { field }), ...extensions },
  }));
}

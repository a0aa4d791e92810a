import { type Json, type Problem, Refusal } from './refusal';

/** A Refusal as it travels between processes. */
export interface EncodedRefusal {
  code: string;
  http_status: number;
  problems: Problem[];
  retry_after_seconds?: number;
}

export function encodeRefusal(refusal: Refusal): EncodedRefusal {
  const encoded: EncodedRefusal = {
    code: refusal.code,
    http_status: refusal.httpStatus,
    problems: [...refusal.problems],
  };
  if (refusal.retryAfterSeconds !== undefined)
    encoded.retry_after_seconds = refusal.retryAfterSeconds;
  return encoded;
}

export function decodeRefusal(encoded: EncodedRefusal): Refusal {
  return new Refusal(
    encoded.code,
    encoded.http_status,
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

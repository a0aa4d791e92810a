import { createHash } from 'node:crypto';

/** The same for the same JSON, in so many hex digits; what is not there counts as null. */
export const digestOf = (value: unknown, hexDigits: number): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? 'null')
    .digest('hex')
    .slice(0, hexDigits);

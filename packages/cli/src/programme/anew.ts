import { randomUUID } from 'node:crypto';

interface Options {
  idempotencyKey: string;
}
/** What an operation of the client gives; what is put together of several has no answer of its own. */
interface Answered {
  withResponse?(): Promise<{ response: Response }>;
}

/**
 * Makes a thing under a key. The answer to the same call of before is kept for a day: where somebody has deleted since
 * what it speaks of, nothing would be made, and the thing is asked for under another key.
 */
export async function madeAnew<Made>(
  create: (options: Options) => PromiseLike<Made>,
  { idempotencyKey }: Options,
  isThere: (made: Made) => Promise<boolean>,
): Promise<Made> {
  const asked = create({ idempotencyKey });
  const made = await asked;
  const answered = await (asked as Answered).withResponse?.();
  const isKept = answered?.response.headers.get('idempotency-replayed') === 'true';
  if (!isKept || (await isThere(made))) return made;
  return create({ idempotencyKey: `${idempotencyKey}-${randomUUID()}` });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Reply } from './api';

/** Enough for a machine that is busy with other things; it takes some seconds on one that is not. */
const INSIST_MS = 180_000;
/** No more than that at once once it is known that the platform is busy. */
const AT_ONCE_WHEN_BUSY = 8;

interface Wish {
  path: string;
  body?: object;
}

/**
 * Posts everything at once, as many tills do. What a busy platform has not decided is sent again under the same key, not
 * sooner than it says and a few at a time. It is not known whether such a request took effect, so counting only works out
 * if the repeat does not double it.
 */
export async function insistOnAll(caller: Caller, wishes: readonly Wish[]): Promise<Reply[]> {
  const endsAt = Date.now() + INSIST_MS;
  const requests = wishes.map(({ path, body = {} }) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return () => caller.post(path, body, headers);
  });
  const replies = await Promise.all(requests.map((send) => send()));
  for (;;) {
    const open = [...replies.keys()].filter((index) => secondsAsked(replies[index]!) > 0);
    if (open.length === 0 || Date.now() > endsAt) return replies;
    await pause(Math.max(...open.map((index) => secondsAsked(replies[index]!))) * 1_000);
    const resend = async () => {
      for (let index = open.shift(); index !== undefined; index = open.shift())
        replies[index] = await requests[index]!();
    };
    await Promise.all(Array.from({ length: AT_ONCE_WHEN_BUSY }, resend));
  }
}

/** How long it asks to wait before it is sent again; 0 once it is decided. */
function secondsAsked({ headers }: Reply): number {
  return Number(headers.get('retry-after') ?? 0);
}

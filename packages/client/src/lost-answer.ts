import { ConnectionError, type LaurelError } from './errors';

/** A call without a key of which an earlier try may have been carried out: its answer was lost. */
interface Repeated {
  name: string;
  method: string;
  flags: string;
}

/**
 * What the refusal of a repeat says of the call. What an earlier try deleted is not there any more, and what it changed is
 * of another version: neither is a no to the caller.
 *
 * @returns the answer to a deletion that is done
 * @throws what was refused, or that the outcome is unknown
 */
export function settleRepeat(refusal: LaurelError, { name, method, flags }: Repeated): Response {
  const { status, message } = refusal;
  const isDeletion = method === 'DELETE';
  if (isDeletion && status === 404 && flags.includes('d'))
    return flags.includes('b')
      ? Response.json({ message: 'It is gone.' })
      : new Response(null, { status: 204 });
  // A deletion of some things says 400 of what is not there.
  if (status !== 412 && !(isDeletion && (status === 404 || status === 400))) throw refusal;
  const words = `${name}: the answer to an earlier try was lost, and this one was refused: ${message}`;
  throw new ConnectionError(words, undefined, { cause: refusal });
}

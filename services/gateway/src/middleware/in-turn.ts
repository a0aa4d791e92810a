import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import { addressKey } from './address';
import type { Admission } from './admission';
import { bearerIn } from './bearer-access';
import type { AwaitPeer } from './peers';

/**
 * Does the work of a request in its turn. It counts as work until it has ended, also when its caller is gone.
 *
 * @param asked.stack of the route; where there is none, callers are told apart by their address
 */
export async function inTurn<T>(
  admission: Admission,
  { response, stack }: { response: Response; stack?: Stack },
  work: (awaitPeer: AwaitPeer) => Promise<T>,
): Promise<T> {
  const { req: request } = response;
  const turn = await admission.enter(callerIn(request, stack), goneWith(response));
  try {
    return await work((wait) => turn.awaitPeer(wait, () => request.socket.destroy()));
  } finally {
    turn.leave();
  }
}

/**
 * The sender of a request, before a look at whether they are who they say: by the one credential that the route takes, however
 * that is spelled. Any other header would make as many callers of one as there are values of it.
 */
function callerIn(request: Request, stack: Stack | undefined): string {
  return (stack && credentialIn(request, stack)) ?? addressKey(request.ip);
}

function credentialIn(request: Request, stack: Stack): string | undefined {
  switch (stack.name) {
    case 'member':
      return (stack.mobileMayRead && request.get('x-mobile-token')) || bearerIn(request);
    case 'mobile':
      return request.get('x-mobile-token');
    case 'portal':
      return request.get('x-client-token');
    case 'open':
      return stack.credential?.(request);
    default:
      return undefined;
  }
}

const goneWith = (response: Response): Promise<unknown> =>
  new Promise((resolve) => {
    response.once('close', resolve);
  });

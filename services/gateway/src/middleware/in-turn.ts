import { digestToken } from '@laurel/auth-cache';
import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import { addressKey } from './address';
import type { Admission } from './admission';
import { bearerIn } from './bearer-access';
import type { AwaitPeer } from './peers';
import type { WrongCredentials } from './wrong-credentials';

/** By what one caller differs from another; where there is no stack, that is their address. */
interface Door {
  stack?: Stack;
  /** Says whether what a stranger bears was right a while ago. */
  credentials?: Pick<WrongCredentials, 'knows'>;
}

/** Does the work of a request in its turn. It counts as work until it has ended, also when its caller is gone. */
export async function inTurn<T>(
  admission: Admission,
  { response, ...door }: { response: Response } & Door,
  work: (awaitPeer: AwaitPeer) => Promise<T>,
): Promise<T> {
  const { req: request } = response;
  const turn = await admission.enter(callerIn(request, door), goneWith(response));
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
function callerIn(request: Request, door: Door): string {
  return credentialIn(request, door) ?? addressKey(request.ip);
}

function credentialIn(request: Request, { stack, credentials }: Door): string | undefined {
  switch (stack?.name) {
    case 'member':
      return (stack.mobileMayRead && request.get('x-mobile-token')) || bearerIn(request);
    case 'mobile':
      return request.get('x-mobile-token');
    case 'portal':
      return request.get('x-client-token');
    case 'open': {
      // A stranger may invent any number, and would have as many turns.
      const borne = stack.credential?.(request);
      return borne !== undefined && credentials?.knows(digestToken(borne)) ? borne : undefined;
    }
    default:
      return undefined;
  }
}

const goneWith = (response: Response): Promise<unknown> =>
  new Promise((resolve) => {
    response.once('close', resolve);
  });

import type { Logger } from '@laurel/lifecycle';
import type { Request, RequestHandler, Response } from 'express';
import type { Admission } from './admission';
import { respondWithError } from './errors';

/** Does the work of a request in its turn. It counts as work until it has ended, also when its caller is gone. */
export async function inTurn<T>(
  admission: Admission,
  response: Response,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await admission.enter(callerIn(response.req), goneWith(response));
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Lets the pages in that ask other services for what they show; their turn ends with the answer. */
export function waitForTurn(admission: Admission, logger: Logger): RequestHandler {
  return (request, response, next) => {
    const gone = goneWith(response);
    admission.enter(callerIn(request), gone).then(
      (leave) => {
        void gone.then(leave);
        next();
      },
      (error: unknown) => respondWithError(error, response, logger),
    );
  };
}

/** The sender of a request, before a look at whether they are who they say. */
function callerIn(request: Request): string {
  return (
    request.get('authorization') ??
    request.get('x-mobile-token') ??
    request.get('x-client-token') ??
    request.ip ??
    'unknown'
  );
}

const goneWith = (response: Response): Promise<unknown> =>
  new Promise((resolve) => {
    response.once('close', resolve);
  });

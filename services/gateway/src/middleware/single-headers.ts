import { invalidPayload } from '@laurel/errors';
import type { RequestHandler } from 'express';

/** Node keeps the first of several; what stands in front may go by the last (RFC 9112, section 3.2; RFC 9110, section 5.3). */
const SINGLE = ['host', 'authorization', 'content-type'];

/** Refuses a request that says two things of whom it is for, whom it is from or what it brings. */
export const refuseSecondHeaders: RequestHandler = ({ rawHeaders }, _response, next) => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!SINGLE.includes(name)) continue;
    if (seen.has(name)) throw invalidPayload([{ message: `the header ${name} is sent twice` }]);
    seen.add(name);
  }
  next();
};

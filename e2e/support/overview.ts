import { until } from '@laurel/testing';
import type { Caller } from './api';
import { expectStatus } from './factories';

/** The overview once every service has its part in it: one that is slow is named as missing. */
export const overviewOf = (workspace: Pick<Caller, 'get'>, query = '') =>
  until(async () => {
    const { body } = expectStatus(await workspace.get(`:ws/overview${query}`), 200);
    return body.meta.missing.length === 0 && body;
  });

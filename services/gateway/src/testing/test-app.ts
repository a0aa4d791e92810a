import { createLogger } from '@laurel/lifecycle';
import { Router } from 'express';
import { createApp } from '../app';
import { createAdmission } from '../middleware/admission';
import { anonymous } from '../middleware/caller';
import type { Route } from '../routing';
import type { ServeDependencies } from '../serve';

/**
 * The gateway with these routes alone: no service behind it, everybody is let in, nothing is kept.
 *
 * @param others doubles in place of those
 */
export function testApp(routes: Route[], others: object = {}) {
  const letIn = { caller: async () => anonymous('ip'), admit: async () => '' };
  const { authenticate = letIn } = others as { authenticate?: object };
  const dependencies = {
    rpc: {},
    admission: createAdmission({ runningMax: 8, waitingMax: 8, waitMsMax: 100, callerMax: 8 }),
    authenticate,
    reauthenticate: authenticate,
    limits: { consume: async () => undefined },
    credentials: {},
    audit: { admit: () => undefined, record: async () => undefined, settle: async () => undefined },
    beginIdempotent: () => Promise.reject(new Error('no key was sent')),
    logger: createLogger('test', 'silent'),
    requestMsMax: 1_000,
    publicUrl: 'http://localhost',
    ...others,
  } as unknown as ServeDependencies;
  const settings = { trustProxy: '0', corsOrigins: '*' };
  return createApp({ routes, pages: Router(), settings }, dependencies);
}

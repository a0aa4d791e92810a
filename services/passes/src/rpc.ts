import type { Handlers } from '@laurel/rpc';
import { coreHandlers } from './core/rpc';
import type { Deps } from './deps';
import { enrollmentHandlers } from './enrollment/part';
import { mobileHandlers } from './mobile/part';
import { walletHandlers } from './wallet/part';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'passes'> => ({
  ...coreHandlers(deps),
  ...walletHandlers(deps),
  ...enrollmentHandlers(deps),
  ...mobileHandlers(deps),
});

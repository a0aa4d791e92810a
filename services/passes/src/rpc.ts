import type { Handlers } from '@laurel/rpc';
import { coreHandlers } from './core/rpc';
import type { Deps } from './deps';
import { enrollmentHandlers } from './enrollment/part';
import { mobileHandlers } from './mobile/part';
import { exportPerson } from './use-cases/export-person';
import { getSetup } from './use-cases/get-setup';
import { search } from './use-cases/search';
import { walletHandlers } from './wallet/part';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'passes'> => ({
  ...coreHandlers(deps),
  ...walletHandlers(deps),
  ...enrollmentHandlers(deps),
  ...mobileHandlers(deps),
  ExportClient: (request) => exportPerson(deps, request),
  Search: (request) => search(deps, request),
  GetSetup: (request) => getSetup(deps, request),
});

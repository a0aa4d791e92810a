import type { ConsumerSpec } from '@laurel/backend';
import { coreConsumers } from './core/consumers';
import type { Deps } from './deps';
import { enrollmentConsumers } from './enrollment/part';
import { mobileConsumers } from './mobile/part';
import { walletConsumers } from './wallet/part';

/** event -> use case. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  ...coreConsumers(deps),
  ...walletConsumers(deps),
  ...enrollmentConsumers(deps),
  ...mobileConsumers(deps),
];

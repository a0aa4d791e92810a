import type { CoreDeps } from './core/deps';
import type { EnrollmentDeps } from './enrollment/part';
import type { MobileDeps } from './mobile/part';
import type { WalletDeps } from './wallet/part';

/** What the whole service is made of; each part declares its own share. */
export type Deps = CoreDeps & WalletDeps & EnrollmentDeps & MobileDeps;

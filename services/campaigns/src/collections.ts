import { ofEveryService } from '@laurel/backend';
import type { Declared } from '@laurel/mongo';
import { actionParts } from './store/action-parts';
import { actions } from './store/actions';
import { audience } from './store/audience';
import { campaigns } from './store/campaigns';

/** Everything that this service keeps; a campaign goes before what hangs on it, so that no worker takes it up meanwhile. */
export const collections: readonly Declared[] = [
  campaigns,
  actions,
  audience,
  actionParts,
  ...ofEveryService,
];

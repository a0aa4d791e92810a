import type { CollectionIndexes } from '@laurel/mongo';
import { actionIndexes } from './store/actions';
import { audienceIndexes } from './store/audience';
import { campaignIndexes } from './store/campaigns';

export const indexes: readonly CollectionIndexes[] = [
  actionIndexes,
  audienceIndexes,
  campaignIndexes,
];

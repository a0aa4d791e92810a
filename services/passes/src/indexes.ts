import type { CollectionIndexes } from '@laurel/mongo';
import { coreIndexes } from './core/indexes';
import { enrollmentIndexes } from './enrollment/part';
import { mobileIndexes } from './mobile/part';
import { walletIndexes } from './wallet/part';

export const indexes: readonly CollectionIndexes[] = [
  ...coreIndexes,
  ...walletIndexes,
  ...enrollmentIndexes,
  ...mobileIndexes,
];

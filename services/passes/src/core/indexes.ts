import type { CollectionIndexes } from '@laurel/mongo';
import { dailyPassIndexes } from './store/daily-passes';
import { fileIndexes } from './store/files';
import { formerBarcodeIndexes } from './store/former-barcodes';
import { passIndexes } from './store/pass-indexes';
import { passUpdateIndexes } from './store/pass-updates';
import { projectIndexes } from './store/projects';
import { retiredPassIndexes } from './store/retired-passes';
import { templateRefreshIndexes } from './store/template-refreshes';
import { templateIndexes } from './store/templates';

export const coreIndexes: readonly CollectionIndexes[] = [
  dailyPassIndexes,
  ...fileIndexes,
  formerBarcodeIndexes,
  passIndexes,
  passUpdateIndexes,
  projectIndexes,
  retiredPassIndexes,
  ...templateIndexes,
  templateRefreshIndexes,
];

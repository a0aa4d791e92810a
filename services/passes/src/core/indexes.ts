import type { CollectionIndexes } from '@laurel/mongo';
import { fileIndexes } from './store/files';
import { formerBarcodeIndexes } from './store/former-barcodes';
import { passUpdateIndexes } from './store/pass-updates';
import { passIndexes } from './store/passes';
import { projectIndexes } from './store/projects';
import { retiredPassIndexes } from './store/retired-passes';
import { templateRefreshIndexes } from './store/template-refreshes';
import { templateIndexes } from './store/templates';

export const coreIndexes: readonly CollectionIndexes[] = [
  ...fileIndexes,
  formerBarcodeIndexes,
  passIndexes,
  passUpdateIndexes,
  projectIndexes,
  retiredPassIndexes,
  ...templateIndexes,
  templateRefreshIndexes,
];

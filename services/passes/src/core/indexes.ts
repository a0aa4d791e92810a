import type { CollectionIndexes } from '@laurel/mongo';
import { fileIndexes } from './store/files';
import { passUpdateIndexes } from './store/pass-updates';
import { passIndexes } from './store/passes';
import { projectIndexes } from './store/projects';
import { templateRefreshIndexes } from './store/template-refreshes';
import { templateIndexes } from './store/templates';

export const coreIndexes: readonly CollectionIndexes[] = [
  ...fileIndexes,
  passIndexes,
  passUpdateIndexes,
  projectIndexes,
  ...templateIndexes,
  templateRefreshIndexes,
];

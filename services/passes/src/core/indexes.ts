import type { CollectionIndexes } from '@laurel/mongo';
import { passIndexes } from './store/passes';
import { projectIndexes } from './store/projects';
import { templateIndexes } from './store/templates';

export const coreIndexes: readonly CollectionIndexes[] = [
  passIndexes,
  projectIndexes,
  ...templateIndexes,
];

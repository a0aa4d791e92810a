import type { CollectionIndexes } from '@laurel/mongo';
import { backtestIndexes } from './store/backtests';
import { executionIndexes } from './store/executions';
import { ruleIndexes } from './store/rules';
import { runIndexes } from './store/runs';
import { triggerBacklogIndexes } from './store/trigger-backlog';
import { usageIndexes } from './store/usages';

export const indexes: readonly CollectionIndexes[] = [
  backtestIndexes,
  executionIndexes,
  ruleIndexes,
  runIndexes,
  triggerBacklogIndexes,
  usageIndexes,
];

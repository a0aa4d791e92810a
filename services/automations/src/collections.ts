import { ofEveryService } from '@laurel/backend';
import { type Declared, departures, locks } from '@laurel/mongo';
import { backtests } from './store/backtests';
import { consideredEvents } from './store/considered-events';
import { executions } from './store/executions';
import { rules } from './store/rules';
import { runParts } from './store/run-parts';
import { runs } from './store/runs';
import { triggerBacklog } from './store/trigger-backlog';
import { usages } from './store/usages';

/** Everything that this service keeps; rules and what waits for them go first, so that nothing new comes of them. */
export const collections: readonly Declared[] = [
  rules,
  runs,
  runParts,
  triggerBacklog,
  consideredEvents,
  backtests,
  executions,
  usages,
  locks,
  departures,
  ...ofEveryService,
];

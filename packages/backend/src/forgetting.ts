import { forgetPublished } from '@laurel/events';
import type { Connection } from '@laurel/mongo';
import type { Job } from '@laurel/work';

const HOUR_MS = 3_600_000;
const PUBLISHED_EVERY_MS = 600_000;

interface Forgetting {
  connection: Connection;
  settings: { outboxKeptHours: number };
}

/** The jobs of every service by which what events tell does not stay for ever (docs/adr/0033). */
export function forgettingJobs({ connection, settings }: Forgetting): Job[] {
  return [
    {
      name: 'forget-published-events',
      every: PUBLISHED_EVERY_MS,
      alone: true,
      work: () => forgetPublished(connection, settings.outboxKeptHours * HOUR_MS),
    },
  ];
}

import { forgetParked, forgetPublished } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Job } from '@laurel/work';

const HOUR_MS = 3_600_000;
const PUBLISHED_EVERY_MS = 600_000;
const PARKED_EVERY_MS = 24 * HOUR_MS;

interface Forgetting {
  connection: Connection;
  logger: Pick<Logger, 'warn'>;
  settings: { rabbitmqUrl: string; outboxKeptHours: number };
  /** What the service consumes. */
  queues: readonly string[];
}

/** The jobs of every service by which what events tell does not stay for ever (docs/adr/0033, 0043). */
export function forgettingJobs({ connection, logger, settings, queues }: Forgetting): Job[] {
  return [
    {
      name: 'forget-published-events',
      every: PUBLISHED_EVERY_MS,
      alone: true,
      work: () => forgetPublished(connection, settings.outboxKeptHours * HOUR_MS),
    },
    {
      name: 'forget-parked-events',
      every: PARKED_EVERY_MS,
      alone: true,
      work: async () => {
        for (const forgotten of await forgetParked(settings.rabbitmqUrl, queues))
          logger.warn(forgotten, 'parked events were thrown away that waited for 30 days');
        return undefined;
      },
    },
  ];
}

import { Counter, Gauge, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];

/** How the log of entries is written and proved; no label names a tenant. */
export const ledgerMetrics = {
  waiting: new Gauge({
    name: 'ledger_operations_waiting',
    help: 'Operations that this process has taken on and not answered.',
    registers,
  }),
  flightEntries: new Histogram({
    name: 'ledger_flight_entries',
    help: 'Entries that one insert made durable.',
    buckets: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  }),
  placesLost: new Counter({
    name: 'ledger_places_lost_total',
    help: 'Operations that were decided again because another writer took the next place of the wallet.',
    registers,
  }),
  verifications: new Counter({
    name: 'ledger_verifications_total',
    help: 'Verifications of logs by outcome: sound, or faulty, which is an alarm.',
    labelNames: ['outcome'],
    registers,
  }),
  checkpointAt: new Gauge({
    name: 'ledger_checkpoint_timestamp_seconds',
    help: 'The moment that the newest round of checkpoints by this process stands for, in seconds since 1970; 0 before the first.',
    registers,
  }),
} as const;

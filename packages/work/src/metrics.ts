import { Counter, Gauge, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];
const labelNames = ['service', 'job'];

/** Metrics of what runs by itself; a job is a row of a service's jobs.ts. No label names a tenant. */
export const work = {
  runs: new Counter({
    name: 'job_runs_total',
    help: 'Pieces of work and runs of jobs, by outcome: done or failed; of a job that works off rows also its looks that fail, and the first that succeeds after that.',
    labelNames: [...labelNames, 'outcome'],
    registers,
  }),
  duration: new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of a piece of work or of one run of a job.',
    labelNames,
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  }),
  lag: new Histogram({
    name: 'job_lag_seconds',
    help: 'How long a row was due before it was taken up.',
    labelNames,
    buckets: [0.05, 0.1, 0.3, 1, 2, 5, 15, 60, 600],
    registers,
  }),
  dueRows: new Gauge({
    name: 'job_due_rows',
    help: 'Rows found due at the last look, no more than there was room for.',
    labelNames,
    registers,
  }),
  inHand: new Gauge({
    name: 'job_rows_in_hand',
    help: 'Rows that this process is at work on.',
    labelNames,
    registers,
  }),
} as const;

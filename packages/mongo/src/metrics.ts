import { Counter, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];

/** How it goes with a service's own database; made once per process, however many services share it. */
export const storing = {
  poolWait: new Histogram({
    name: 'store_pool_wait_seconds',
    help: 'How long work waited for a connection of the pool.',
    labelNames: ['database'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers,
  }),
  poolRefused: new Counter({
    name: 'store_pool_refused_total',
    help: 'Work that got no connection: the pool stayed busy, or the server was away.',
    labelNames: ['database'],
    registers,
  }),
  transactionRetries: new Counter({
    name: 'store_transaction_retries_total',
    help: 'Transactions that met another writer and ran again.',
    labelNames: ['database'],
    registers,
  }),
} as const;

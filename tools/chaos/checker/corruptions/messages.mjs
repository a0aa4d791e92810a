// Harm to what others hear, and to the platform's health.
import { any, change, drop, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const MESSAGES = [
  { name: 'a row of the outbox is lost', caughtBy: 'M1', plant: drop('outbox', any) },
  {
    name: 'an event never leaves',
    caughtBy: 'M1',
    plant: drop('heard', ({ type }) => type.startsWith('loyalty.')),
  },
  {
    name: 'an entry is never relayed',
    caughtBy: 'M1',
    plant: change('entries', any, (entry) => ({ ...entry, unrelayed: true })),
  },
  {
    name: 'a consumer loses an event',
    caughtBy: 'M2',
    plant: drop('inbox', ({ key }) => key.startsWith('clients.trail:')),
  },
  {
    name: 'a consumer handles what was never sent',
    caughtBy: 'M2',
    plant: change('inbox', any, (row) => [row, { ...row, key: 'clients.trail:from-nowhere' }]),
  },
  {
    name: 'a message is parked',
    caughtBy: 'M3',
    plant: change('queues', any, (queue) => ({ ...queue, ready: 1 })),
  },
  {
    name: 'a webhook is never told',
    caughtBy: 'M4',
    plant: drop('deliveries', ({ event_id }, { heard }) =>
      heard.some(({ id, type }) => id === event_id && type.startsWith('loyalty.')),
    ),
  },
  {
    name: 'a webhook is told twice',
    caughtBy: 'M4',
    plant: twice('deliveries', ({ event_id }, { heard }) =>
      heard.some(({ id, type }) => id === event_id && type.startsWith('loyalty.')),
    ),
  },
  {
    name: 'a delivery is altered on its way',
    caughtBy: 'M4',
    plant: change('received', any, (one) => ({ ...one, digest: 'altered' })),
  },
  {
    name: 'a delivery has a bad signature',
    caughtBy: 'M4',
    plant: change('received', any, (one) => ({ ...one, forged: 1 })),
  },
  {
    name: 'a delivery reaches another workspace',
    caughtBy: 'M4',
    plant: change('received', any, (one) => ({ ...one, workspaceId: 'another' })),
  },
  {
    name: 'a delivery is given up',
    caughtBy: 'M4',
    plant: change('deliveries', any, (row) => ({ ...row, status: 'failed' })),
  },
  {
    name: 'an event that comes again is counted again',
    caughtBy: 'M5',
    plant: ({ replayed }) => ({
      replayed: { ...replayed, changed: ['metrics ada: 1 -> 2'] },
    }),
  },
  {
    name: 'a request fails twice in the calm',
    caughtBy: 'A1',
    plant: ({ run }) => ({
      run: { ...run, calms: run.calms.map((calm) => ({ ...calm, repeated: 1 })) },
    }),
  },
  {
    name: 'many requests fail once in the calm',
    caughtBy: 'A1',
    plant: ({ run }) => ({
      run: {
        ...run,
        calms: run.calms.map((calm) => ({
          ...calm,
          failed: Array(Math.ceil(calm.attempts / 10)).fill('GET / 503'),
        })),
      },
    }),
  },
  {
    name: 'nothing is asked in the calm',
    caughtBy: 'A1',
    plant: ({ run }) => ({
      run: { ...run, calms: run.calms.map((calm) => ({ ...calm, attempts: 0, failed: [] })) },
    }),
  },
  {
    name: 'a process dies by itself',
    caughtBy: 'A1',
    plant: ({ run }) => ({
      run: { ...run, calms: run.calms.map((calm) => ({ ...calm, died: ['ledger'] })) },
    }),
  },
  {
    name: 'a process never gets ready',
    caughtBy: 'A1',
    plant: ({ run }) => ({
      run: {
        ...run,
        calms: run.calms.map((calm) => ({ ...calm, readyAfterMs: null, lacking: ['ledger'] })),
      },
    }),
  },
  {
    name: 'queues take too long to drain',
    caughtBy: 'A2',
    plant: ({ run }) => ({ run: { ...run, drainedAfterMs: 61_000 } }),
  },
  {
    name: 'a client is told of a fault',
    caughtBy: 'A3',
    plant: ({ run }) => ({ run: { ...run, answers: { ...run.answers, 500: 1 } } }),
  },
  {
    name: 'a token is refused',
    caughtBy: 'A3',
    plant: ({ run }) => ({ run: { ...run, answers: { ...run.answers, 401: 1 } } }),
  },
  {
    name: 'an outcome stays open',
    caughtBy: 'A2',
    plant: change('history', any, (one) => ({ ...one, outcome: 'unknown', attempts: 9 })),
  },
  {
    name: 'the platform misses an entry',
    caughtBy: 'P1',
    plant: ({ run }) => ({ run: { ...run, verified: [] } }),
  },
];

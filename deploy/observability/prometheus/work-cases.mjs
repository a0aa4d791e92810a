// What alert-cases.mjs says of the alerts about work that goes on by itself: jobs, checkpoints, pushes, slots and webhooks.

/**
 * @typedef {Record<string, string>} Series what a series is called -> its samples
 * @typedef {{ at: string, fires: Series, labels?: Record<string, string>, silent: Series }} World `labels` are what the
 *   alert says besides its severity
 * @typedef {World & { also?: World[] }} Case with what else it is there for
 */

/** @param {number} quick */
const pushed = (quick) => ({
  'wallet_push_delay_seconds_bucket{le="300"}': `0+${quick}x40`,
  'wallet_push_delay_seconds_bucket{le="900"}': '0+600x40',
  'wallet_push_delay_seconds_bucket{le="+Inf"}': '0+600x40',
});
const PUSH_RUNS = 'job_runs_total{service="passes",job="push-wallet-updates",outcome="done"}';
const pushing = { wallet_pushes_asked_total: '0+60x40', [PUSH_RUNS]: '0+60x40' };
/** How many of 600 webhooks a minute left within 30 seconds. @param {number} quick */
const left = (quick) => ({
  'webhook_delay_seconds_bucket{le="30"}': `0+${quick}x40`,
  'webhook_delay_seconds_bucket{le="300"}': '0+600x40',
  'webhook_delay_seconds_bucket{le="+Inf"}': '0+600x40',
});

/** @type {Record<string, Case>} */
export const WORK_CASES = {
  LaurelJobFails: {
    at: '16m',
    fires: { 'job_runs_total{service="tiers",job="resync",outcome="failed"}': '0+1x20' },
    labels: { service: 'tiers', job: 'resync' },
    // It fails now and then, and gets on.
    silent: {
      'job_runs_total{service="tiers",job="resync",outcome="failed"}': '0+1x20',
      'job_runs_total{service="tiers",job="resync",outcome="done"}': '0+10x20',
    },
  },
  LaurelJobNeverDone: {
    at: '1600m',
    // Once a day, in a process that had not run it before.
    fires: {
      'job_runs_total{service="identity",job="forget-old-audit-log",outcome="failed",instance="a"}':
        '0x10 1x1440 2x200',
      'job_runs_total{service="identity",job="forget-old-audit-log",outcome="done",instance="a"}':
        '0x1650',
    },
    labels: { service: 'identity', job: 'forget-old-audit-log' },
    // It is another replica that did it.
    silent: {
      'job_runs_total{service="identity",job="forget-old-audit-log",outcome="failed",instance="a"}':
        '0x10 1x1440 2x200',
      'job_runs_total{service="identity",job="forget-old-audit-log",outcome="done",instance="b"}':
        '0x700 1x950',
    },
    also: [
      {
        at: '200m',
        fires: {
          'job_runs_total{service="passes",job="reseal-link-keys",outcome="failed"}':
            '0x10 1x60 2x60 3x100',
          'job_runs_total{service="passes",job="reseal-link-keys",outcome="done"}': '0x230',
        },
        labels: { service: 'passes', job: 'reseal-link-keys' },
        // The store was away as it started, and was back an hour later.
        silent: {
          'job_runs_total{service="passes",job="reseal-link-keys",outcome="failed"}': '0x10 1x220',
          'job_runs_total{service="passes",job="reseal-link-keys",outcome="done"}': '0x70 1x160',
        },
      },
      {
        at: '1600m',
        // Rolled out each day: each process runs it once, and is gone before its next time.
        fires: {
          'job_runs_total{service="clients",job="orphaned-events",outcome="failed",instance="a"}':
            '0x2 1x1000 _x600',
          'job_runs_total{service="clients",job="orphaned-events",outcome="done",instance="a"}':
            '0x1002 _x600',
          'job_runs_total{service="clients",job="orphaned-events",outcome="failed",instance="b"}':
            '_x1003 0x2 1x600',
          'job_runs_total{service="clients",job="orphaned-events",outcome="done",instance="b"}':
            '_x1003 0x602',
        },
        labels: { service: 'clients', job: 'orphaned-events' },
        // Mended, and restarted half an hour later: docker compose has the same name for it.
        silent: {
          'job_runs_total{service="clients",job="orphaned-events",outcome="failed",instance="a"}':
            '0x1440 1x30 0x130',
          'job_runs_total{service="clients",job="orphaned-events",outcome="done",instance="a"}':
            '0x2 1x1467 0x2 1x130',
        },
      },
      {
        at: '200m',
        // A job of rows whose every look fails, and its next process's.
        fires: {
          'job_runs_total{service="clients",job="imports",outcome="failed",instance="a"}':
            '0x10 1x40 _x150',
          'job_runs_total{service="clients",job="imports",outcome="failed",instance="b"}':
            '_x51 0x2 1+1x150',
          'job_runs_total{service="clients",job="imports",outcome="done",instance="b"}':
            '_x51 0x150',
        },
        labels: { service: 'clients', job: 'imports' },
        // The store was away for a minute, and there is no row.
        silent: {
          'job_runs_total{service="clients",job="imports",outcome="failed",instance="a"}':
            '0x10 3x190',
          'job_runs_total{service="clients",job="imports",outcome="done",instance="a"}':
            '0x11 1x190',
        },
      },
    ],
  },
  LaurelWorkStuck: {
    at: '400m',
    // A merge that cannot end is tried every four minutes, among others that do.
    fires: {
      'job_runs_total{service="clients",job="processes",outcome="failed",instance="a"}': '0+1x400',
      'job_runs_total{service="clients",job="processes",outcome="done",instance="a"}': '0+60x400',
    },
    labels: { service: 'clients', job: 'processes' },
    // The ledger was away for an hour and a half.
    silent: {
      'job_runs_total{service="clients",job="processes",outcome="failed",instance="a"}':
        '0+1x90 90x310',
      'job_runs_total{service="clients",job="processes",outcome="done",instance="a"}': '0+60x400',
    },
    also: [
      {
        at: '400m',
        // Every hour the review of one member fails, and those of all others are done.
        fires: {
          'job_runs_total{service="tiers",job="review",outcome="failed",instance="a"}':
            '0x5 1x60 2x60 3x60 4x60 5x60 6x60 7x60',
          'job_runs_total{service="tiers",job="review",outcome="done",instance="a"}': '0+1x420',
        },
        labels: { service: 'tiers', job: 'review' },
        // Three times, and then no more.
        silent: {
          'job_runs_total{service="tiers",job="review",outcome="failed",instance="a"}':
            '0x5 1x60 2x60 3x300',
          'job_runs_total{service="tiers",job="review",outcome="done",instance="a"}': '0+1x420',
        },
      },
    ],
  },
  LaurelCheckpointsOverdue: {
    at: '170m',
    fires: { 'ledger_checkpoint_timestamp_seconds{instance="a"}': '0x200' },
    // Taken on another replica an hour ago.
    silent: {
      'ledger_checkpoint_timestamp_seconds{instance="a"}': '0x200',
      'ledger_checkpoint_timestamp_seconds{instance="b"}': '6600x200',
    },
  },
  LaurelLedgerFaulty: {
    at: '1m',
    fires: { 'ledger_verifications_total{outcome="faulty"}': '1x5' },
    silent: { 'ledger_verifications_total{outcome="sound"}': '9x5' },
  },
  LaurelLedgerQueues: {
    at: '5m',
    fires: { 'ledger_operations_waiting{instance="a"}': '9000x10' },
    labels: { instance: 'a' },
    silent: {
      'ledger_operations_waiting{instance="a"}': '3000x10',
      'ledger_operations_waiting{instance="b"}': '3000x10',
    },
  },
  LaurelPushesStuck: {
    at: '30m',
    // Apple is away; passes on no phone are done meanwhile, and what Google has is pushed.
    fires: {
      ...pushing,
      'wallet_pushes_failed_total{wallet="apple"}': '0+5x40',
      'wallet_push_delay_seconds_count{wallet="apple"}': '7x40',
      'wallet_pushes_failed_total{wallet="google"}': '0+1x40',
      'wallet_push_delay_seconds_count{wallet="google"}': '0+60x40',
    },
    labels: { wallet: 'apple' },
    // One workspace has bad credentials, and others have good ones.
    silent: {
      ...pushing,
      'wallet_pushes_failed_total{wallet="apple"}': '0+5x40',
      'wallet_push_delay_seconds_count{wallet="apple"}': '0+1x40',
    },
    also: [
      {
        at: '30m',
        fires: { ...pushing, [PUSH_RUNS]: '7x40' },
        // Nothing changes, so nothing is pushed.
        silent: { wallet_pushes_asked_total: '7x40', [PUSH_RUNS]: '7x40' },
      },
    ],
  },
  LaurelPushesLate: { at: '35m', fires: pushed(500), silent: pushed(600) },
  LaurelSlotsUnheld: {
    at: '15m',
    fires: {
      'slots_held{service="ledger",instance="a"}': '8x30',
      'slots_held{service="ledger",instance="b"}': '7x30',
      'slots_held{service="tiers",instance="a"}': '16x30',
    },
    labels: { service: 'ledger' },
    // A slot changes hands: for a moment it is in none.
    silent: {
      'slots_held{service="ledger",instance="a"}': '8x30',
      'slots_held{service="ledger",instance="b"}': '8 7 8x28',
    },
  },
  LaurelWebhooksLate: { at: '35m', fires: left(500), silent: left(600) },
  LaurelWebhooksDisabled: {
    at: '20m',
    fires: { 'webhook_endpoints_disabled_total{reason="gone"}': '_x15 1x20' },
    silent: { 'webhook_endpoints_disabled_total{reason="gone"}': '1x40' },
  },
};

// For each alert what the world looks like when it must fire, and a world like it in which it must not. Series are
// written as promtool takes them, one sample a minute: `0+60x30` begins at 0 and grows by 60, thirty times.

/**
 * @typedef {Record<string, string>} Series what a series is called -> its samples
 * @typedef {{ at: string, fires: Series, labels?: Record<string, string>, silent: Series }} World `labels` are what the
 *   alert says besides its severity
 * @typedef {World & { also?: World[] }} Case with what else it is there for
 */

const failing = (/** @type {string} */ failed) => ({
  'http_server_request_duration_seconds_count{status="200",instance="a"}': '0+5880x400',
  'http_server_request_duration_seconds_count{status="503",instance="b"}': failed,
});
/** How many of 6 000 requests took at most so long. @param {string} route @param {number} quick */
const took = (route, quick) => ({
  [`http_server_request_duration_seconds_bucket{route="${route}",le="0.25"}`]: `0+${quick}x30`,
  [`http_server_request_duration_seconds_bucket{route="${route}",le="1"}`]: '0+6000x30',
  [`http_server_request_duration_seconds_bucket{route="${route}",le="+Inf"}`]: '0+6000x30',
});
const EARN = '/service-api/workspace/:ws/loyalty/points/earn';
/** How many of 600 a minute waited at most half a second. @param {number} quick */
const waited = (quick) => ({
  'store_pool_wait_seconds_bucket{database="laurel_ledger",le="0.5"}': `0+${quick}x30`,
  'store_pool_wait_seconds_bucket{database="laurel_ledger",le="1"}': '0+600x30',
  'store_pool_wait_seconds_bucket{database="laurel_ledger",le="+Inf"}': '0+600x30',
});
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
const ledgerDepth = 'queue_depth{queue="tiers.members",kind="work",instance="a"}';
const requests = { 'http_server_request_duration_seconds_count{status="200"}': '0+6000x30' };

/** @type {Record<string, Case>} */
export const ALERT_CASES = {
  LaurelErrorBudgetBurnsFast: {
    at: '70m',
    fires: failing('0+120x400'),
    // One in a hundred: over the goal, but not so that somebody must be woken.
    silent: failing('0+60x400'),
  },
  LaurelErrorBudgetBurnsSlowly: {
    at: '390m',
    fires: failing('0+60x400'),
    silent: failing('0+30x400'),
  },
  LaurelEarnSlow: { at: '25m', fires: took(EARN, 5_900), silent: took(EARN, 5_990) },
  LaurelOutboxLags: {
    at: '5m',
    fires: {
      'outbox_lag_seconds{relay="ledger.1",instance="a"}': '40x10',
      'outbox_lag_seconds{relay="ledger.1",instance="b"}': '40x10',
    },
    labels: { relay: 'ledger.1' },
    // Both replicas tell of the same 20 seconds: they are not forty.
    silent: {
      'outbox_lag_seconds{relay="ledger.1",instance="a"}': '20x10',
      'outbox_lag_seconds{relay="ledger.1",instance="b"}': '20x10',
    },
  },
  LaurelEventsUnroutable: {
    at: '20m',
    fires: { 'outbox_held_total{relay="ledger",reason="unroutable"}': '0+5x30' },
    labels: { relay: 'ledger' },
    silent: { 'outbox_held_total{relay="ledger",reason="failed"}': '0+5x30' },
  },
  LaurelEventsParked: {
    at: '15m',
    fires: {
      'queue_depth{queue="passes.devices",kind="parked",instance="a"}': '1x20',
      'queue_depth{queue="passes.devices",kind="work",instance="a"}': '0x20',
    },
    labels: { queue: 'passes.devices' },
    silent: { 'queue_depth{queue="passes.devices",kind="work",instance="a"}': '5x20' },
  },
  LaurelQueueGrows: {
    at: '30m',
    fires: { [ledgerDepth]: '10000+500x40' },
    labels: { queue: 'tiers.members' },
    // Deep, but it is being worked off.
    silent: { [ledgerDepth]: '40000-500x40' },
  },
  LaurelTargetDown: {
    at: '5m',
    fires: { 'up{job="laurel",instance="ledger:9090"}': '0x10' },
    labels: { job: 'laurel', instance: 'ledger:9090' },
    silent: { 'up{job="somebody",instance="else:9090"}': '0x10' },
  },
  LaurelGone: {
    at: '5m',
    fires: { 'up{job="somebody",instance="else:9090"}': '1x10' },
    // One replica of two is away: LaurelTargetDown says so.
    silent: {
      'up{job="laurel",instance="a:9090"}': '0x10',
      'up{job="laurel",instance="b:9090"}': '1x10',
      'gateway_requests_running{instance="b:9090"}': '0x10',
    },
    also: [
      {
        at: '5m',
        // All services but the gateway.
        fires: { 'up{job="laurel",instance="ledger:9090"}': '1x10' },
        silent: {
          'up{job="laurel",instance="ledger:9090"}': '1x10',
          'gateway_requests_running{instance="gateway:9090"}': '3x10',
        },
      },
    ],
  },
  LaurelDependencyDown: {
    at: '5m',
    fires: { 'dependency_up{service="ledger",dependency="mongodb"}': '0x10' },
    labels: { service: 'ledger', dependency: 'mongodb' },
    // Away for a minute: a restart of the server.
    silent: { 'dependency_up{service="ledger",dependency="mongodb"}': '1 1 0 1 1 1 1 1' },
  },
  LaurelBreakerOpen: {
    at: '5m',
    fires: { 'rpc_client_breaker_open{service="clients",purpose="requests"}': '1x10' },
    labels: { service: 'clients', purpose: 'requests' },
    silent: { 'rpc_client_breaker_open{service="clients",purpose="requests"}': '0x10' },
  },
  LaurelPoolExhausted: {
    at: '15m',
    fires: waited(500),
    labels: { database: 'laurel_ledger' },
    silent: waited(600),
  },
  LaurelTransactionsCollide: {
    at: '20m',
    fires: { 'store_transaction_retries_total{database="laurel_rewards"}': '0+1800x30' },
    labels: { database: 'laurel_rewards' },
    silent: { 'store_transaction_retries_total{database="laurel_rewards"}': '0+600x30' },
  },
  LaurelAuthCacheAway: {
    at: '15m',
    fires: {
      'auth_cache_reads_total{outcome="known"}': '100x20',
      'auth_cache_reads_total{outcome="away"}': '0+600x20',
    },
    silent: {
      'auth_cache_reads_total{outcome="known"}': '0+600x20',
      'auth_cache_reads_total{outcome="away"}': '3x20',
    },
  },
  LaurelCertificateEnds: {
    at: '70m',
    // The clock of these series begins in 1970: 13 days from there, and 20.
    fires: { 'tls_certificate_not_after_seconds{instance="a"}': '1123200x100' },
    labels: { instance: 'a' },
    silent: { 'tls_certificate_not_after_seconds{instance="a"}': '1728000x100' },
  },
  LaurelWalletCertificateEnds: {
    at: '70m',
    // 29 days and 31.
    fires: { 'wallet_certificate_not_after_seconds{instance="a"}': '2505600x100' },
    // Only where there is one: a service that signs with its own tells 0.
    silent: {
      'wallet_certificate_not_after_seconds{instance="a"}': '2678400x100',
      'wallet_certificate_not_after_seconds{instance="b"}': '0x100',
    },
  },
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
  LaurelRequestsRefused: {
    at: '15m',
    fires: { ...requests, 'gateway_requests_refused_total{reason="full"}': '0+120x30' },
    silent: { ...requests, 'gateway_requests_refused_total{reason="full"}': '0+12x30' },
  },
  LaurelAuditBacklog: {
    at: '20m',
    fires: { 'gateway_audit_backlog{instance="a"}': '2000x30' },
    labels: { instance: 'a' },
    silent: { 'gateway_audit_backlog{instance="a"}': '20x30' },
  },
  LaurelRedisFills: {
    at: '20m',
    fires: { 'gateway_redis_memory_ratio{node="redis",instance="a"}': '0.95x30' },
    labels: { node: 'redis' },
    silent: { 'gateway_redis_memory_ratio{node="redis",instance="a"}': '0.6x30' },
  },
  LaurelEventLoopBlocked: {
    at: '10m',
    fires: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.4x20' },
    labels: { instance: 'a' },
    silent: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.05x20' },
  },
  LaurelMemoryNearLimit: {
    at: '20m',
    fires: {
      'up{job="laurel",namespace="laurel",pod="ledger-1"}': '1x30',
      'container_memory_working_set_bytes{namespace="laurel",pod="ledger-1",container="ledger"}':
        '450x30',
      'kube_pod_container_resource_limits{namespace="laurel",pod="ledger-1",container="ledger",resource="memory"}':
        '500x30',
    },
    labels: { namespace: 'laurel', pod: 'ledger-1', container: 'ledger' },
    silent: {
      'up{job="laurel",namespace="laurel",pod="ledger-1"}': '1x30',
      'container_memory_working_set_bytes{namespace="laurel",pod="ledger-1",container="ledger"}':
        '300x30',
      'kube_pod_container_resource_limits{namespace="laurel",pod="ledger-1",container="ledger",resource="memory"}':
        '500x30',
      // Of the cluster, and none of ours.
      'container_memory_working_set_bytes{namespace="other",pod="shop-1",container="shop"}':
        '490x30',
      'kube_pod_container_resource_limits{namespace="other",pod="shop-1",container="shop",resource="memory"}':
        '500x30',
    },
  },
};

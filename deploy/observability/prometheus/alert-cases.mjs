// For each alert what the world looks like when it must fire, and a world like it in which it must not. Series are
// written as promtool takes them, one sample a minute: `0+60x30` begins at 0 and grows by 60, thirty times.

import { WORK_CASES } from './work-cases.mjs';

/** @typedef {import('./work-cases.mjs').Case} Case */

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
  ...WORK_CASES,
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

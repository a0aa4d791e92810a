// Writes Grafana's dashboards from what is said here; `node scripts/make-dashboards.mjs` after a change.
// Every panel says what it shows and in which unit; none names a tenant.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../deploy/local/lib/paths.mjs';

export const DASHBOARDS = path.join(ROOT, 'deploy/observability/dashboards');

/** @typedef {{ title: string, description: string, unit: string, queries: Record<string, string> }} Panel query by legend */

/** @param {string} metric @param {string} by @param {number} [quantile] */
const quantileOf = (metric, by, quantile = 0.99) =>
  `histogram_quantile(${quantile}, sum by (${['le', by].filter(Boolean).join(', ')}) (rate(${metric}_bucket[$__rate_interval])))`;
/** @param {string} metric @param {string} by */
const rateOf = (metric, by) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;

/** @type {(title: string, description: string, unit: string, queries: Record<string, string>) => Panel} */
const panel = (title, description, unit, queries) => ({ title, description, unit, queries });

const HTTP = 'http_server_request_duration_seconds';

/** @type {Record<string, { title: string, panels: Panel[] }>} */
const SPECS = {
  platform: {
    title: 'Laurel: platform',
    panels: [
      panel('Requests', 'Requests answered a second, by status.', 'reqps', {
        '{{status}}': rateOf(`${HTTP}_count`, 'status'),
      }),
      panel('Failed', 'Share of requests answered with 5xx; the goal is 0.1 %.', 'percentunit', {
        failed: `sum(rate(${HTTP}_count{status=~"5.."}[$__rate_interval])) / sum(rate(${HTTP}_count[$__rate_interval]))`,
      }),
      panel('Latency', 'How long requests take at the gateway.', 's', {
        p50: quantileOf(HTTP, '', 0.5),
        p99: quantileOf(HTTP, ''),
      }),
      panel('Slowest routes', 'The ten routes with the longest p99.', 's', {
        '{{route}}': `topk(10, ${quantileOf(HTTP, 'route')})`,
      }),
      panel('Admission', 'Requests worked on and waiting for their turn, by gateway.', 'short', {
        'running {{instance}}': 'gateway_requests_running',
        'waiting {{instance}}': 'gateway_requests_waiting',
      }),
      panel('Refused for want of room', 'Requests sent away with 429 or 503, by reason.', 'reqps', {
        '{{reason}}': rateOf('gateway_requests_refused_total', 'reason'),
      }),
      panel('Calls between services', 'p99 as callers saw it, by service called.', 's', {
        '{{service}}': quantileOf('rpc_client_duration_seconds', 'service'),
      }),
      panel('Calls answered', 'Calls a second by service and code.', 'reqps', {
        '{{service}} {{code}}': rateOf('rpc_server_duration_seconds_count', 'service, code'),
      }),
      panel(
        'Breakers open',
        '1 while calls are refused because a service was not reached.',
        'short',
        {
          '{{service}} {{purpose}}': 'max by (service, purpose) (rpc_client_breaker_open)',
        },
      ),
      panel('Dependencies', '1 while a dependency answers, by service.', 'short', {
        '{{service}} {{dependency}}': 'min by (service, dependency) (dependency_up)',
      }),
      panel('Idempotency keys', 'Keyed requests by what was known of the key.', 'reqps', {
        '{{outcome}}': rateOf('gateway_idempotency_keys_total', 'outcome'),
      }),
      panel(
        'Principals',
        'Reads of the cache of principals: away means that Redis does not answer.',
        'reqps',
        {
          '{{outcome}}': rateOf('auth_cache_reads_total', 'outcome'),
        },
      ),
      panel('Memory of Redis', 'Share in use of what a node may use.', 'percentunit', {
        '{{node}}': 'max by (node) (gateway_redis_memory_ratio)',
      }),
      panel('Answers kept', 'Bytes of answers that stand in Redis for a day.', 'bytes', {
        kept: 'sum(increase(gateway_idempotency_bytes_total[1d]))',
      }),
      panel('Keys evicted', 'Keys that Redis let go before their time.', 'short', {
        '{{node}}': 'max by (node) (gateway_redis_evicted_keys)',
      }),
      panel('Audit backlog', 'Audit records that identity has not taken yet.', 'short', {
        '{{instance}}': 'gateway_audit_backlog',
      }),
    ],
  },
  messaging: {
    title: 'Laurel: events',
    panels: [
      panel('Outbox lag', 'Age of the oldest event that the broker has not confirmed.', 's', {
        '{{relay}}': 'max by (relay) (outbox_lag_seconds)',
      }),
      panel('Outbox pending', 'Events committed and not confirmed.', 'short', {
        '{{relay}}': 'max by (relay) (outbox_pending)',
      }),
      panel('Published', 'Events confirmed by the broker a second.', 'ops', {
        '{{relay}}': rateOf('outbox_published_total', 'relay'),
      }),
      panel('Held', 'Publishes that stayed in the outbox, by reason.', 'ops', {
        '{{relay}} {{reason}}': rateOf('outbox_held_total', 'relay, reason'),
      }),
      panel('Queues', 'Events that wait in a queue.', 'short', {
        '{{queue}}': 'max by (queue) (queue_depth{kind="work"})',
      }),
      panel('Parked', 'Events that a consumer gave up on.', 'short', {
        '{{queue}}': 'max by (queue) (queue_depth{kind="parked"})',
      }),
      panel('Handled', 'Events handled a second, by queue.', 'ops', {
        '{{queue}}': rateOf('consumer_handled_total', 'queue'),
      }),
      panel('Failed and parked', 'Attempts that failed, and events parked.', 'ops', {
        'failed {{queue}}': rateOf('consumer_failed_total', 'queue'),
        'parked {{queue}} {{reason}}': rateOf('consumer_parked_total', 'queue, reason'),
      }),
      panel('Time to handle', 'p99 of one delivery or batch.', 's', {
        '{{queue}}': quantileOf('messaging_process_duration_seconds', 'queue'),
      }),
    ],
  },
  ledger: {
    title: 'Laurel: ledger and store',
    panels: [
      panel(
        'Operations waiting',
        'Taken on and not answered; at 50 000 new ones are turned away.',
        'short',
        {
          '{{instance}}': 'ledger_operations_waiting',
        },
      ),
      panel('Entries of a flight', 'How many entries one insert makes durable.', 'short', {
        p50: quantileOf('ledger_flight_entries', '', 0.5),
        p99: quantileOf('ledger_flight_entries', ''),
      }),
      panel('Places lost', 'Operations decided again because another writer was first.', 'ops', {
        lost: 'sum(rate(ledger_places_lost_total[$__rate_interval]))',
      }),
      panel('Age of the newest checkpoint', 'How far back the last signed checkpoint lies.', 's', {
        age: 'time() - max(ledger_checkpoint_timestamp_seconds)',
      }),
      panel('Verifications', 'Verifications by outcome; one faulty is an alarm.', 'short', {
        '{{outcome}}': 'sum by (outcome) (ledger_verifications_total)',
      }),
      panel('Waiting for a connection', 'p99 of the wait for the pool, by database.', 's', {
        '{{database}}': quantileOf('store_pool_wait_seconds', 'database'),
      }),
      panel('No connection', 'Work that got no connection at all.', 'ops', {
        '{{database}}': rateOf('store_pool_refused_total', 'database'),
      }),
      panel('Transactions run again', 'Transactions that met another writer.', 'ops', {
        '{{database}}': rateOf('store_transaction_retries_total', 'database'),
      }),
    ],
  },
  outside: {
    title: 'Laurel: webhooks and phones',
    panels: [
      panel('Webhook attempts', 'Attempts a second by outcome.', 'ops', {
        '{{outcome}}': rateOf('webhook_attempts_total', 'outcome'),
      }),
      panel('Receivers', 'How long receivers took to answer.', 's', {
        p50: quantileOf('webhook_attempt_duration_seconds', '', 0.5),
        p99: quantileOf('webhook_attempt_duration_seconds', ''),
      }),
      panel(
        'Event to webhook',
        'From an event to its first attempt; the goal is 5 s for 99 %.',
        's',
        {
          p50: quantileOf('webhook_delay_seconds', '', 0.5),
          p99: quantileOf('webhook_delay_seconds', ''),
        },
      ),
      panel('In flight', 'Requests to receivers under way.', 'short', {
        '{{instance}}': 'webhook_attempts_in_flight',
      }),
      panel('Endpoints given up', 'Webhooks disabled, by reason.', 'short', {
        '{{reason}}': 'sum by (reason) (webhook_endpoints_disabled_total)',
      }),
      panel('Pushes', 'Passes to be shown anew, and tries to push them, a second.', 'ops', {
        asked: 'sum(rate(wallet_pushes_asked_total[$__rate_interval]))',
        'sent {{wallet}}': rateOf('wallet_push_delay_seconds_count', 'wallet'),
        'failed {{wallet}}': rateOf('wallet_pushes_failed_total', 'wallet'),
      }),
      panel('Change to phone', 'From a change to its push; the goal is 30 s for 99 %.', 's', {
        p50: quantileOf('wallet_push_delay_seconds', '', 0.5),
        p99: quantileOf('wallet_push_delay_seconds', ''),
      }),
    ],
  },
  runtime: {
    title: 'Laurel: processes',
    panels: [
      panel('CPU', 'Cores used by each process.', 'short', {
        '{{instance}}': rateOf('process_cpu_seconds_total', 'instance'),
      }),
      panel('Resident memory', 'What the system gave each process.', 'bytes', {
        '{{instance}}': 'process_resident_memory_bytes',
      }),
      panel('Heap', 'What JavaScript holds.', 'bytes', {
        '{{instance}}': 'nodejs_heap_size_used_bytes',
      }),
      panel('Event loop', 'p99 of how long a process stands still.', 's', {
        '{{instance}}': 'nodejs_eventloop_lag_p99_seconds',
      }),
      panel('Jobs', 'Runs of periodic jobs that failed.', 'ops', {
        '{{service}} {{job}}':
          'sum by (service, job) (rate(job_runs_total{outcome="failed"}[$__rate_interval]))',
      }),
      panel('Job duration', 'p99 of one run.', 's', {
        '{{service}} {{job}}': quantileOf('job_duration_seconds', 'service, job'),
      }),
      panel('Job lag', 'p99 of how long a row was due before it was taken up.', 's', {
        '{{service}} {{job}}': quantileOf('job_lag_seconds', 'service, job'),
      }),
      panel('Due rows', 'Rows found due at the last look, by job.', 'short', {
        '{{service}} {{job}}': 'max by (service, job) (job_due_rows)',
      }),
      panel('Certificates', 'How long the certificates between services still hold.', 's', {
        '{{instance}}': '(tls_certificate_not_after_seconds > 0) - time()',
      }),
      panel(
        'Certificate of Apple Wallet',
        'How long the certificate that signs cards still holds.',
        's',
        { deployment: 'min(wallet_certificate_not_after_seconds > 0) - time()' },
      ),
    ],
  },
};

const WIDTH = 12;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '${source}' };

/** @param {Panel} spec @param {number} at */
function panelJson({ title, description, unit, queries }, at) {
  const x = (at % 2) * WIDTH;
  const y = Math.floor(at / 2) * HEIGHT;
  return {
    id: at + 1,
    type: 'timeseries',
    title,
    description,
    datasource: SOURCE,
    gridPos: { h: HEIGHT, w: WIDTH, x, y },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      expr,
      legendFormat,
      datasource: SOURCE,
    })),
  };
}

/** @returns {Record<string, any>} file name -> dashboard */
export function dashboards() {
  return Object.fromEntries(
    Object.entries(SPECS).map(([name, { title, panels }]) => [
      `${name}.json`,
      {
        uid: `laurel-${name}`,
        title,
        tags: ['laurel'],
        schemaVersion: 39,
        refresh: '30s',
        time: { from: 'now-3h', to: 'now' },
        timezone: 'browser',
        templating: {
          list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
        },
        panels: panels.map(panelJson),
      },
    ]),
  );
}

const textOf = (/** @type {object} */ dashboard) => `${JSON.stringify(dashboard, null, 2)}\n`;

/** Names the committed dashboards that this script would no longer write. */
export function staleDashboards() {
  return Object.entries(dashboards())
    .filter(([name, dashboard]) => {
      const file = path.join(DASHBOARDS, name);
      return !existsSync(file) || readFileSync(file, 'utf8') !== textOf(dashboard);
    })
    .map(([name]) => name);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(DASHBOARDS, { recursive: true });
  for (const [name, dashboard] of Object.entries(dashboards()))
    writeFileSync(path.join(DASHBOARDS, name), textOf(dashboard));
}

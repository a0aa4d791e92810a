import { Counter, Gauge, Histogram, metrics } from '@laurel/lifecycle';

const registers = [metrics.registry];
const labelNames = ['wallet'];

/** How soon phones show what changed; no label names a tenant. */
export const pushing = {
  asked: new Counter({
    name: 'wallet_pushes_asked_total',
    help: 'Passes whose change was to be shown on phones; several changes within seconds become one push.',
    registers,
  }),
  delay: new Histogram({
    name: 'wallet_push_delay_seconds',
    help: 'From the last change of what a pass shows to its push being sent to a wallet (apple, google) that was owed one.',
    labelNames,
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 900],
    registers,
  }),
  failed: new Counter({
    name: 'wallet_pushes_failed_total',
    help: 'Tries to push a pass to a wallet (apple, google) that failed or for which there are no credentials, but for what the platform itself had away.',
    labelNames,
    registers,
  }),
} as const;

// What appears with its first event has no rise that an alert could see.
for (const wallet of ['apple', 'google']) {
  pushing.delay.zero({ wallet });
  pushing.failed.inc({ wallet }, 0);
}

/** The workspaces' own end as well, and stand in their attention list. */
export const appleCertificateEnds = new Gauge({
  name: 'wallet_certificate_not_after_seconds',
  help: 'When the Apple certificate of the deployment or the one that issued it ends, in seconds since 1970; where what is set cannot sign, when the process began; 0 where nothing is set.',
  registers,
});

import { decideDelivery, getsDelivery, whyHeldBack, whyNotSent } from './decide-delivery';
import { type AttemptOutcome, NOT_SENT, RETRY_DELAYS_MS } from './retry';

const NOW = new Date('2026-05-04T12:00:00.000Z');
const later = new Date(NOW.getTime() + 1);
const open = { active: true, disabled_reason: null, paused_until: null };
const answered = (status: number | null, retryAfterMs: number | null = null): AttemptOutcome => ({
  status,
  error: status === 200 ? null : 'no',
  durationMs: 1,
  retryAfterMs,
  response: null,
});
const decide = (outcome: AttemptOutcome, failures = 0) =>
  decideDelivery(outcome, { failures, now: NOW, dice: 0 });

test('an event goes to active webhooks that ask for it, and what a rule sends to the one that it named', () => {
  const webhook = { _id: 'one', event_types: ['custom.*'], active: true };
  expect(getsDelivery(webhook, { name: 'custom.visit', target: null })).toBe(true);
  expect(getsDelivery(webhook, { name: 'client.created', target: null })).toBe(false);
  expect(getsDelivery(webhook, { name: 'automation.webhook', target: 'one' })).toBe(true);
  expect(getsDelivery(webhook, { name: 'custom.visit', target: 'other' })).toBe(false);
  const off = { ...webhook, active: false };
  expect(getsDelivery(off, { name: 'custom.visit', target: null })).toBe(false);
  expect(getsDelivery(off, { name: 'automation.webhook', target: 'one' })).toBe(false);
});

test.each([
  ['nothing holds an active webhook back', open, null],
  ['a pause that is over does not', { ...open, paused_until: NOW }, null],
  ['a pause holds back', { ...open, paused_until: later }, 'webhook_paused'],
  ['who was switched off by hand is inactive', { ...open, active: false }, 'webhook_inactive'],
  [
    'who was given up is failing',
    { ...open, active: false, disabled_reason: 'failing' as const, paused_until: later },
    'webhook_failing',
  ],
  [
    'who answered 410 is gone',
    { ...open, active: false, disabled_reason: 'gone' as const },
    'webhook_gone',
  ],
])('%s', (_, webhook, reason) => {
  expect(whyHeldBack(webhook, NOW)).toBe(reason);
});

test('an attempt delivers, is tried again, or ends its delivery with a reason', () => {
  expect(decide(answered(204))).toEqual({
    status: 'delivered',
    reason: null,
    nextAttemptAt: null,
  });
  for (const outcome of [answered(500), answered(null), answered(302)])
    expect(decide(outcome, 1)).toEqual({
      status: 'pending',
      reason: 'retry_scheduled',
      nextAttemptAt: new Date(NOW.getTime() + RETRY_DELAYS_MS[1]!),
    });
  expect(decide(answered(503, 60_000)).nextAttemptAt).toEqual(new Date(NOW.getTime() + 60_000));
  const failed = (reason: string) => ({ status: 'failed', reason, nextAttemptAt: null });
  expect(decide(answered(500), RETRY_DELAYS_MS.length)).toEqual(failed('retries_exhausted'));
  expect(decide(answered(410))).toEqual(failed('webhook_gone'));
  expect(decide(NOT_SENT)).toEqual(failed('sandbox'));
});

test('what holds a webhook back is said of what waits for it, and of nothing else', () => {
  const off = { ...open, active: false };
  const waiting = { status: 'pending' as const, reason: 'retry_scheduled' as const };
  expect(whyNotSent(waiting, off, NOW)).toBe('webhook_inactive');
  expect(whyNotSent(waiting, open, NOW)).toBe('retry_scheduled');
  expect(whyNotSent({ status: 'delivered', reason: null }, off, NOW)).toBeNull();
  expect(whyNotSent({ status: 'failed', reason: 'sandbox' }, off, NOW)).toBe('sandbox');
});

test('a delivery of before reasons were kept has none', () => {
  expect(whyNotSent({ status: 'failed' }, open, NOW)).toBeNull();
});

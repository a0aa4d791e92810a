import { complaintAboutMoment, isTooFarAhead, keptFrom } from './staff-operation';

const NOW = new Date('2026-05-20T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const MINUTE_MS = 60_000;
const done = {
  sessionId: 'phone',
  effect: { type: 'entry' as const, id: 'e' },
  at: ago(10 * MINUTE_MS),
  undoneAt: null,
};

test('a device takes back what it did itself, within ten minutes, once, and only what left something behind', () => {
  expect(keptFrom(done, 'phone', NOW)).toBeNull();
  expect(keptFrom({ ...done, at: ago(10 * MINUTE_MS + 1) }, 'phone', NOW)).toContain('ten minutes');
  expect(keptFrom(done, 'tablet', NOW)).toContain('another device');
  expect(keptFrom({ ...done, undoneAt: NOW }, 'phone', NOW)).toContain('already');
  expect(keptFrom({ ...done, effect: null }, 'phone', NOW)).toContain('cannot');
});

test('purchases and added points may have happened up to 72 hours ago, nothing else, and nothing in the future', () => {
  const hour = 60 * MINUTE_MS;
  expect(complaintAboutMoment(ago(72 * hour), 'add_transaction', NOW)).toBeNull();
  expect(complaintAboutMoment(ago(72 * hour + 1), 'add_points', NOW)).toContain('72 hours');
  expect(complaintAboutMoment(ago(-4 * MINUTE_MS), 'add_points', NOW)).toBeNull();
  expect(complaintAboutMoment(ago(-6 * MINUTE_MS), 'add_points', NOW)).toContain('future');
  expect(complaintAboutMoment(ago(hour), 'redeem_reward', NOW)).toContain('only purchases');
});

test('a purchase is dated a month ahead at most', () => {
  const day = 24 * 60 * MINUTE_MS;
  expect(isTooFarAhead(ago(-31 * day), NOW)).toBe(false);
  expect(isTooFarAhead(ago(-31 * day - 1), NOW)).toBe(true);
  expect(isTooFarAhead(ago(9_000 * day), NOW)).toBe(false);
});

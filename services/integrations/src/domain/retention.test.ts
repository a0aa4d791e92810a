import { erasedUntil, keptUntil, TELLS_ERASURE } from './retention';

const now = new Date('2026-02-27T12:00:00.000Z');

test('what happened is kept for its days, what concerns somebody erased for an hour', () => {
  expect(keptUntil(now, 3)).toEqual(new Date('2026-03-02T12:00:00.000Z'));
  expect(keptUntil(now, 0)).toEqual(now);
  expect(erasedUntil(now)).toEqual(new Date('2026-02-27T13:00:00.000Z'));
});

test('only what tells that somebody is gone outlasts them', () => {
  expect([...TELLS_ERASURE]).toEqual(['client.anonymized', 'client.deleted']);
});

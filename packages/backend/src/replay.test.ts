import { complaintAboutSince } from './replay';

test('events leave once more for as long as consumers remember that they have handled them, and no longer', () => {
  const now = new Date('2026-11-22T12:00:00.000Z');
  const since = (moment: string) => complaintAboutSince(new Date(moment), now);
  expect(since('2026-11-22T10:00:00.000Z')).toBeNull();
  expect(since('2026-11-15T12:00:00.000Z')).toBeNull();
  expect(since('2026-11-15T11:59:59.999Z')).toContain('more than 7 days ago');
  expect(since('2026-11-02T10:00:00.000Z')).toContain('would do it twice');
  expect(since('2026-12-22T10:00:00.000Z')).toContain('in the future');
});

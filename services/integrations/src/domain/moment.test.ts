import { momentOf } from './moment';

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'America/New_York';
});
afterAll(() => {
  process.env.TZ = before;
});

test.each([
  ['2026-10-25T02:30:00', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['Oct 25, 2026 02:30', '2026-10-25T02:30:00.000Z'],
  ['Oct 25, 2026 2:30 AM', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25T02:30:00Z', '2026-10-25T02:30:00.000Z'],
  ['2026-10-25T02:30:00.5+02:00', '2026-10-25T00:30:00.500Z'],
  ['Sun, 25 Oct 2026 02:30:00 GMT', '2026-10-25T02:30:00.000Z'],
])('%s is the same moment on a machine of any time zone', (text, moment) => {
  expect(momentOf(text).toISOString()).toBe(moment);
});

test('what is no moment is none', () => {
  for (const text of ['', 'soon', '2026-13-01', '2026-10-25T99:00']) {
    expect(momentOf(text).getTime()).toBeNaN();
  }
});

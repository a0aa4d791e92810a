import { toSubmission } from './present';

const answers = { email: 'ann@mail.example', first_name: 'Ann' };

test.each([
  [' ABCD2345 ', 'ABCD2345'],
  [`  ${'X'.repeat(20)}`, 'X'.repeat(20)],
  ['   ', ''],
  [12, ''],
  [null, undefined],
  [undefined, undefined],
])('of the code %p goes on %p', (referral_code, code) => {
  expect(toSubmission({ ...answers, referral_code }).referral_code).toBe(code);
});

test('a code of a megabyte goes no further than the gateway, and stays one that is too long', () => {
  const { referral_code } = toSubmission({ ...answers, referral_code: 'X'.repeat(1_000_000) });
  expect(referral_code).toBe('X'.repeat(21));
});

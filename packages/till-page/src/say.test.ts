import { Refused } from '@laurel/page-kit';
import { LANGUAGES } from './language';
import { sayRefused, sayUnits } from './say';
import type { WalletType } from './shapes';

test.each([
  [404, 'RECORD_NOT_FOUND', 'the mobile app action does not exist', 'switched this off'],
  [409, 'CONFLICT', 'the action is switched off', 'switched this off'],
  [404, 'RECORD_NOT_FOUND', 'the pass does not exist', 'This card is not known here.'],
  [400, 'INVALID_PAYLOAD', 'data.points must be at most 50', 'At most 50 at once.'],
  [400, 'INVALID_PAYLOAD', 'data.points must be at most 100000', 'At most 100,000 at once.'],
  [400, 'INVALID_PAYLOAD', 'the reward is not active', 'Not available'],
  [400, 'INVALID_PAYLOAD', 'the reward is out of coupons', 'All gone'],
  [400, 'INVALID_PAYLOAD', 'the reward has been redeemed as often as it may be', 'All gone'],
  [
    400,
    'INVALID_PAYLOAD',
    'the client has redeemed the reward as often as one client may',
    'Had already',
  ],
  [400, 'INVALID_PAYLOAD', 'the client has too few points', 'not enough on the card'],
  [400, 'INVALID_PAYLOAD', 'the wallet is at its max_balance', 'at its highest already'],
  [409, 'CONFLICT', 'the pass is voided or has expired', 'not valid any more'],
  [502, 'UNREADABLE', 'UNREADABLE', 'Try again in a moment.'],
])('a refusal of %d %s (%s) reads: %s', async (status, code, message, sentence) => {
  const error = new Refused(status, code, { problems: [{ message }] });
  expect(sayRefused(await LANGUAGES.of('en'), error)).toContain(sentence);
});

test.each([
  ['fr', [0, 1, 1.5, 2], ['0 grain', '1 grain', '1,5 grain', '2 grains']],
  ['en', [0, 1, 1.5, 2], ['0 grains', '1 grain', '1.5 grains', '2 grains']],
])('so many are called in %s as people call them there', async (locale, amounts, said) => {
  const language = await LANGUAGES.of(locale);
  const type = { unit_singular_name: 'grain', unit_plural_name: 'grains' } as WalletType;
  expect(amounts.map((amount) => sayUnits(language, amount, type))).toEqual(said);
});

import { Refused } from '@laurel/page-kit';
import { LANGUAGES } from './language';
import { sayRefused } from './say';

test.each([
  [404, 'RECORD_NOT_FOUND', 'the mobile app action does not exist', 'switched this off'],
  [409, 'CONFLICT', 'the action is switched off', 'switched this off'],
  [404, 'RECORD_NOT_FOUND', 'the pass does not exist', 'This card is not known here.'],
  [502, 'UNREADABLE', 'UNREADABLE', 'Try again in a moment.'],
])('a refusal of %d %s (%s) reads: %s', async (status, code, message, sentence) => {
  const error = new Refused(status, code, { problems: [{ message }] });
  expect(sayRefused(await LANGUAGES.of('en'), error)).toContain(sentence);
});

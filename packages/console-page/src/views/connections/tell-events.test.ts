import { createLanguage } from '@laurel/page-kit/language';
import { de } from '../../words/de';
import { tellEventType } from './tell-events';

const { say } = createLanguage('de-DE', de);

test.each([
  ['loyalty.points_earned', 'Gesammelt'],
  ['client.merged', 'Zwei Kunden zusammengelegt'],
  ['custom.*', 'Eigene Ereignisse'],
  ['a.later.one', 'What the catalogue says.'],
])('the event %s is said in the reader’s words, where there are some', (type, said) => {
  expect(tellEventType(say, { type, description: 'What the catalogue says.' })).toBe(said);
});

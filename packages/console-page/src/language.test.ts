import { localeOf } from './language';

test.each([
  ['en', ['de-DE', 'en-GB', 'en'], 'en-GB'],
  ['pl', ['en-GB'], 'pl'],
  ['de', ['de-AT', 'en'], 'de-AT'],
])('%s chosen in a browser that speaks %j is %s', (code, wanted, locale) => {
  expect(localeOf(code, wanted)).toBe(locale);
});

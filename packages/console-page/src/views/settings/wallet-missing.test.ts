import { createLanguage } from '@laurel/page-kit/language';
import { de } from '../../words/de';
import { en } from '../../words/en';
import { missingOf } from './wallet-missing';

const { say } = createLanguage('en-GB', en);

test.each([
  [
    'wwdr_certificate: did not issue the certificate',
    'It is not the one that issued the certificate',
  ],
  ['certificate: not within its dates', 'It is not valid yet, or not any more'],
  ['certificate: for the pass type pass.a, not pass.b', 'The certificate is for pass.a'],
  ['certificate: for no pass type, not pass.b', 'It is no certificate for cards'],
  [
    'certificate: of the team ABCDE12345, not EDCBA12345',
    'The certificate is of the team ABCDE12345',
  ],
])('says in words what is wrong with keys of the workspace: %s', (missing, words) => {
  const { own, settings } = missingOf(say, [missing]);
  expect(own).toEqual([expect.stringContaining(words)]);
  expect(settings).toEqual([]);
});

test('names what it is that is wrong as its field is called', () => {
  const german = createLanguage('de-DE', de);
  const { own } = missingOf(german.say, ['certificate: not within its dates']);
  expect(own[0]).toMatch(/^Zertifikat: /);
});

test('tells what the installation lacks from what is wrong with keys of the workspace', () => {
  const { own, settings } = missingOf(say, [
    'APPLE_PASS_KEY',
    'APPLE_PASS_CERTIFICATE: not within its dates',
    'APPLE_PASS_CERTIFICATE: for no pass type, not pass.b',
  ]);
  expect(own).toEqual([]);
  expect(settings).toEqual(['APPLE_PASS_KEY', 'APPLE_PASS_CERTIFICATE']);
});

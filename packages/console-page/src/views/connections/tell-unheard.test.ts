import { createLanguage } from '@laurel/page-kit/language';
import { de } from '../../words/de';
import { tellUnheard } from './tell-unheard';

const { say } = createLanguage('de-DE', de);

test.each([
  ['answered 500', 'die Antwort war 500'],
  ['answered 302; redirects are not followed', 'die Antwort war 302'],
  ['the connection was refused', 'unter dieser Adresse hört nichts zu'],
  ['no answer within 10000 ms', 'es kam rechtzeitig keine Antwort'],
  ['no answer came from this address', 'es kam rechtzeitig keine Antwort'],
  ['the host name is unknown', 'diesen Rechner gibt es nicht'],
  [
    'the TLS connection failed (CERT_HAS_EXPIRED)',
    'die verschlüsselte Verbindung misslang (CERT_HAS_EXPIRED)',
  ],
  ['the request failed (EXOTIC)', 'the request failed (EXOTIC)'],
])('“%s” is said in the reader’s words, where there are some', (noted, said) => {
  expect(tellUnheard(say, noted)).toBe(said);
});

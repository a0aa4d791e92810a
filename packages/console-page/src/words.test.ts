import { wrongGaps } from '@laurel/page-kit/testing/gaps';
import { de } from './words/de';
import { en } from './words/en';
import { es } from './words/es';
import { fr } from './words/fr';
import { pl } from './words/pl';

test.each(Object.entries({ de, es, fr, pl }))(
  '%s leaves the gaps that English leaves',
  (_, words) => {
    expect(wrongGaps(words, en)).toEqual([]);
  },
);

/** How a language speaks to somebody in the form that the console does not use. */
const OTHER_FORM: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(du|dich|dir|deine?[mnrs]?|Lege|Ändere|Wähle|Gib|Prüfe|Öffne)(?!\p{L})/iu,
  es: /\b(usted|quiera|Elija|Cambie|cámbielo|deles|Pruebe|a su tienda|de su aviso|sus correos|abre su cuenta|su propio)\b/,
};
test.each(Object.entries({ de, es }))('%s speaks to its reader in one form', (code, words) => {
  const forms = Object.entries(words).flatMap(([key, form]) =>
    // The name of a mail to customers, as it begins.
    key === 'mail.confirmation' ? [] : typeof form === 'string' ? [form] : Object.values(form),
  );
  expect(forms.filter((form) => OTHER_FORM[code]!.test(form))).toEqual([]);
});

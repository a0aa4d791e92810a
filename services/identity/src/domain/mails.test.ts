import { writeLetter } from '@laurel/mail';
import { languageOfAccount, resetMail, verificationMail } from './mails';

const URL = 'https://laurel.example/x?token=t';

test.each([
  ['de', 'Passwort'],
  ['fr', 'mot de passe'],
  ['es', 'contraseña'],
  ['pl', 'hasł'],
  ['en', 'password'],
])('mails about an account are in the language that its holder chose: %s', (language, password) => {
  const chosen = languageOfAccount({ preferences: { language } });
  const reset = writeLetter(resetMail(chosen, URL, false));
  expect(reset.text).toContain(password);
  expect(reset.html).toContain(`lang="${language}"`);
  const verification = writeLetter(verificationMail(chosen, URL));
  expect(verification.html).toContain(`lang="${language}"`);
  expect(verification.text).toContain(URL);
});

test('mails about an account are in English where no language was chosen', () => {
  expect(
    [{}, { preferences: {} }, { preferences: { language: 'xx' } }].map(languageOfAccount),
  ).toEqual(['en', 'en', 'en']);
});

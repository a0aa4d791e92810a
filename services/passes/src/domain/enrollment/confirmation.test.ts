import { answersToConfirm, newConfirmationToken } from './confirmation';

const applicant = {
  email: 'stranger@mail.example',
  first_name: 'Bo',
  last_name: null,
  phone: null,
  birth_date: '2000-01-01',
  custom_fields: { city: 'Ulm', vip: false, note: 'x'.repeat(500), none: null },
};
const fields = [{ name: 'city', label: 'Where?', type: 'text', required: false, options: [] }];
const input = { applicant, referral_code: null, consent_text: 'News?' };

test('shows what would be kept, in the words of the form, and no letter of a stranger', () => {
  expect(answersToConfirm(input, fields)).toEqual({
    answers: [
      { name: 'first_name', label: '', value: 'Bo' },
      { name: 'birth_date', label: '', value: '2000-01-01' },
      { name: 'city', label: 'Where?', value: 'Ulm' },
      { name: 'vip', label: '', value: 'false' },
      { name: 'note', label: '', value: `${'x'.repeat(100)}…` },
    ],
    consent_text: null,
  });
});

test('shows the words of a consent only where it was given', () => {
  const given = { ...input, applicant: { ...applicant, marketing_consent: true } };
  expect(answersToConfirm(given, fields).consent_text).toBe('News?');
});

test('a token is of 256 bits and never the same', () => {
  const [one, two] = [newConfirmationToken(), newConfirmationToken()];
  expect(one.token).toHaveLength(43);
  expect(one.token).not.toBe(two.token);
  expect(one.sha256).not.toContain(one.token);
});

import {
  answersToConfirm,
  CONFIRM_MS,
  confirmedEnrollment,
  newConfirmationToken,
  REPEAT_MS,
} from './confirmation';
import { isUnproven } from './enrollment';

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
      { name: 'note', label: '', value: `${'x'.repeat(99)}…` },
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
  expect(one.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('shows an answer of 100 characters as it is, and none that is empty', () => {
  const custom_fields = { note: 'x'.repeat(100), city: '' };
  const { answers } = answersToConfirm(
    { ...input, applicant: { ...applicant, custom_fields } },
    [],
  );
  expect(answers.map(({ name }) => name)).toEqual(['first_name', 'birth_date', 'note']);
  expect(answers.at(-1)?.value).toBe('x'.repeat(100));
});

test('who opened the link is the client that it was mailed to, and has proved it', () => {
  const now = new Date(1_000);
  const confirmation = {
    token_sha256: 'digest',
    workspace_id: 'w',
    distribution_id: 'd',
    client_id: 'c',
    input,
    confirmed_at: null,
    expires_at: now,
  };
  const times = { id: 'e', now, dueAt: new Date(2_000) };
  const enrollment = confirmedEnrollment(times, confirmation, { input, was_enrolled: true });
  expect(enrollment).toMatchObject({ id: 'e', workspace_id: 'w', distribution_id: 'd', input });
  expect(enrollment.client).toEqual({ id: 'c', known: true, was_enrolled: true });
  expect(enrollment.confirms).toBe('digest');
  expect(isUnproven(enrollment)).toBe(false);
});

test('a link waits two days, and tells its answer again for ten minutes', () => {
  expect([CONFIRM_MS, REPEAT_MS]).toEqual([172_800_000, 600_000]);
});

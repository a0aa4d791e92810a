import {
  completionOf,
  FORM_SOURCE,
  isPlausibleCode,
  isUnproven,
  newEnrollment,
} from './enrollment';

const applicant = {
  email: 'bo@mail.example',
  first_name: 'Bo',
  last_name: 'Lo',
  phone: '+48600100200',
  birth_date: '2000-01-01',
  marketing_consent: true,
  custom_fields: { city: 'Ulm', size: null },
};
const nobody = {
  status: 'active',
  marketing_consent: false,
  loyalty_program_enabled: false,
  custom_fields: {},
};

test('what is still missing is filled in, but no e-mail address', () => {
  expect(completionOf(nobody, applicant, 'News?')).toEqual({
    first_name: 'Bo',
    last_name: 'Lo',
    birth_date: '2000-01-01',
    phone: '+48600100200',
    custom_fields: { city: 'Ulm' },
    marketing_consent: true,
    marketing_consent_text: 'News?',
    loyalty_program_enabled: true,
  });
});

test('what is known is never overwritten', () => {
  const known = {
    ...nobody,
    first_name: 'Ann',
    last_name: 'Ma',
    birth_date: '1990-01-01',
    phone: '+48600999888',
    marketing_consent: true,
    marketing_consent_at: '2026-01-01T00:00:00.000Z',
    custom_fields: { city: 'Bonn' },
    loyalty_program_enabled: true,
  };
  expect(completionOf(known, applicant, null)).toEqual({});
});

test('what is known to be empty is filled in, whatever its name, and by nothing that is empty itself', () => {
  const known = { ...nobody, first_name: '', custom_fields: { city: '', size: '' } };
  const answers = { city: 'Ulm', size: '', toString: 'Bo' };
  expect(completionOf(known, { ...applicant, custom_fields: answers }, null)).toMatchObject({
    first_name: 'Bo',
    custom_fields: { city: 'Ulm', toString: 'Bo' },
  });
});

test('a client that the workspace set inactive stays as it is', () => {
  expect(completionOf({ ...nobody, status: 'inactive' }, applicant, null)).toEqual({});
});

test.each([
  ['ABCDEFGH', true],
  [` ${'A'.repeat(20)} `, true],
  ['A'.repeat(21), false],
  ['', false],
  ['  ', false],
])('the code %j is worth asking about: %s', (code, isWorth) => {
  expect(isPlausibleCode(code)).toBe(isWorth);
});

test('consent is only ever given, and in words only where there were some', () => {
  const { marketing_consent: _, ...silent } = applicant;
  expect(completionOf(nobody, silent, 'News?')).not.toHaveProperty('marketing_consent');
  const refused = { ...applicant, marketing_consent: false };
  expect(completionOf(nobody, refused, 'News?')).not.toHaveProperty('marketing_consent');
  const wordless = completionOf(nobody, applicant, null);
  expect(wordless).toMatchObject({ marketing_consent: true });
  expect(wordless).not.toHaveProperty('marketing_consent_text');
});

test('consent that comes by a form has the source that the contract names', () => {
  expect(FORM_SOURCE).toBe('enrollment');
});

test('an enrollment begins with nothing found, made or mailed, and somebody works on it until it is due', () => {
  const [now, dueAt] = [new Date(1_000), new Date(2_000)];
  const input = { applicant, referral_code: 'ABC', consent_text: null };
  const ids = { id: 'e', workspaceId: 'w', distributionId: 'd' };
  const enrollment = newEnrollment(ids, input, { now, dueAt });
  expect(enrollment).toMatchObject({ id: 'e', workspace_id: 'w', distribution_id: 'd', input });
  expect(enrollment).toMatchObject({ opened_at: now, due_at: dueAt });
  const { makes_client, makes_pass, email_sent, client, pass, confirms, ended_by } = enrollment;
  expect([makes_client, makes_pass, email_sent]).toEqual([false, false, false]);
  expect([client, pass, confirms, ended_by]).toEqual([null, null, null, null]);
});

test('only who was known before and did not come by a mailed link has proved nothing', () => {
  const client = (known: boolean) => ({ id: 'c', known, was_enrolled: false });
  expect(isUnproven({ client: client(true), confirms: null })).toBe(true);
  expect(isUnproven({ client: client(true), confirms: 'digest' })).toBe(false);
  expect(isUnproven({ client: client(false), confirms: null })).toBe(false);
  expect(isUnproven({ client: null, confirms: null })).toBe(false);
});

import { completionOf, isPlausibleCode } from './enrollment';

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

test('what nobody has said yet is filled in, but no e-mail address', () => {
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

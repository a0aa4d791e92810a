import { LaurelError } from '@laurel/client';
import { inWords, lineInWords } from './in-words';
import type { Say } from './language';

const say = ((key: string, { name }: { name?: string } = {}) =>
  name ? `${key} ${name}` : key) as Say;

const told = (message: string, reason?: string) => {
  const problem = { message, code: 'INVALID_PAYLOAD', field: 'a.0.b', ...(reason && { reason }) };
  const error = new LaurelError({
    status: 400,
    problems: [problem as never],
    requestId: 'r1',
    retryAfterSeconds: undefined,
  });
  return inWords(say, error) as LaurelError;
};

test.each([
  ['name is required', 'required'],
  ['name is not allowed to be empty', 'required'],
  ['name must not be blank', 'wrong.blank'],
  ['name length must be less than or equal to 255 characters long', 'wrong.tooLong 255'],
  ['effects[0].amount must be greater than 0', 'wrong.above 0'],
  ['condition_values.total_spending must be greater than or equal to 0', 'wrong.atLeast 0'],
  ['expiry_days must be less than or equal to 3650', 'wrong.atMost 3650'],
  ['amount must have at most 4 decimal places', 'wrong.decimals 4'],
  ['sort_order must be an integer', 'wrong.whole'],
  ['trigger_config.max_amount must not be below min_amount', 'wrong.fromTo'],
  ['activity_window.end_date must be after start_date', 'wrong.order'],
  ['default_currency must be an ISO 4217 code such as EUR', 'wrong.code'],
  [
    'privacy_url must be a valid uri with a scheme matching the http|https pattern',
    'wrong.address',
  ],
  ['privacy_url must be an http or https address', 'wrong.address'],
  ['url must be an absolute https address', 'wrong.address'],
  ['logo_url must be an http or https URL', 'wrong.address'],
  ['email must be an e-mail address', 'wrong.mail'],
  ['value must be a date like 2026-01-31', 'wrong.date'],
  ['certificate: not a certificate in PEM', 'wrong.noCertificate'],
  ['key: not a private key in PEM, or the passphrase is wrong', 'wrong.noKey'],
  ['key: not an RSA key', 'wrong.noRsaKey'],
  ['key: does not belong to the certificate', 'wrong.keyOfOtherCertificate'],
  ['certificate: expired', 'wrong.certificateDates'],
  ['certificate is for pass.com.other', 'wrong.passType pass.com.other'],
  ['pass_type_identifier looks like pass.com.example.loyalty', 'wrong.passTypeForm'],
  ['team_identifier has 10 capital letters and digits', 'wrong.teamForm'],
  ['issuer_id has digits only', 'wrong.digits'],
  ['service_account must be the key file of a service account', 'wrong.serviceAccount'],
  ['effects[0].amount_expression: No such key: tier', 'formula.wrong.unknown tier'],
  ['code_pattern must contain at least one {RAND:N} token with N of at least 4', 'wrong.pattern'],
  ['effects[0].amount_expression: Unknown variable: amoun', 'formula.wrong.unknown amoun'],
  [
    "effects[0].amount_expression: found no matching overload for 'floor(double)'",
    'formula.wrong.unknown floor',
  ],
  ['Expected RPAREN, got EOF', 'formula.wrong.end'],
  ['Unterminated string', 'formula.wrong.open'],
  ['Unexpected character: @', 'formula.wrong.unexpected @'],
  ['no such overload: double + string', 'formula.wrong.types'],
  ['division by zero', 'formula.wrong.zero'],
])('%s reads as %s', (message, words) => {
  expect(told(message).message).toBe(words);
});

test('a reason goes before the sentence, and what has no words of ours is shown as it is', () => {
  const taken = told('another client of the workspace has this e-mail address', 'email_taken');
  expect(taken.message).toBe('wrong.emailTaken');
  const astray = told('give api_key together with this base_url', 'secret_of_other_origin');
  expect(astray.message).toBe('wrong.keyOfOther');
  expect(told('the moon is in the wrong house').message).toBe('the moon is in the wrong house');
});

test.each([
  'inactive',
  'not_started',
  'ended',
  'not_purchasable',
  'tier_locked',
  'segment_locked',
  'usage_limit_reached',
  'client_limit_reached',
  'client_not_active',
  'wallet_type_inactive',
  'insufficient_points',
  'out_of_coupons',
])('why a reward is not to be had is said in words of ours: %s', (reason) => {
  expect(told('as the platform tells programs', reason).message).toMatch(/^(wrong|refused)\./);
});

test('what is still in use is explained by its users', () => {
  const { message, code } = { message: 'the card is used by form "Door"', code: 'CONFLICT' };
  const problem = { message, code, used_by: [{ type: 'distribution', id: '1', name: 'Door' }] };
  const error = new LaurelError({
    status: 409,
    problems: [problem],
    requestId: 'r1',
    retryAfterSeconds: undefined,
  });
  const named = ((key: string, { what }: { what?: string } = {}) => `${key} ${what}`) as Say;
  expect((inWords(named, error) as LaurelError).message).toBe('wrong.usedBy Door');
});

test('what was refused keeps its status, its field and the name of its call', () => {
  expect(told('name is required')).toMatchObject({
    status: 400,
    requestId: 'r1',
    problems: [{ field: 'a.0.b', code: 'INVALID_PAYLOAD' }],
  });
  const other = new TypeError('no network');
  expect(inWords(say, other)).toBe(other);
});

test('what is wrong with a line of a file is said with the name of its column', () => {
  const nameOf = (field: string) => field.toUpperCase();
  expect(lineInWords(say, 'email must be an e-mail address', nameOf)).toBe('EMAIL: wrong.mail');
  expect(lineInWords(say, 'the moon is full', nameOf)).toBe('the moon is full');
});

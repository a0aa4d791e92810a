import { answers, clientOf, newForm, submit, type TestForm } from './support/enrollment';
import { expectStatus, newClient } from './support/factories';
import { member, programIn, referralOf, stats } from './support/referrals';

let form: TestForm;
let code: string;
let referrer: { id: string; email: string };
beforeAll(async () => {
  form = await newForm();
  await programIn(form.workspace, { distribution_id: form.id });
  referrer = await member(form.workspace);
  ({ code } = await referralOf(form.workspace, referrer.id));
});

const outcomeOf = async (to: TestForm, overrides: object) => {
  const { body } = expectStatus(await submit(to, answers(overrides)), 200);
  return body.referral?.outcome;
};

test('a code that is entered makes a pending referral, and the share link leads to the page', async () => {
  const body = answers({ referral_code: ` ${code.toLowerCase()} ` });
  const { body: reply } = expectStatus(await submit(form, body), 200);
  expect(reply.referral).toEqual({ outcome: 'applied' });
  const { share_url: url } = await referralOf(form.workspace, referrer.id);
  expect(new URL(url).pathname).toBe(`/d/${form.id}`);
  expect(new URL(url).searchParams.get('ref')).toBe(code);
  const { data } = (await form.workspace.get(':ws/referrals')).body;
  const { id } = await clientOf(form.workspace, body.email);
  expect(data[0]).toMatchObject({ referee_client_id: id, referrer_client_id: referrer.id });
});

test('no code, no word of a referral', async () => {
  expect(await outcomeOf(form, {})).toBeUndefined();
  expect(await outcomeOf(form, { referral_code: null })).toBeUndefined();
});

test.each([
  ['unknown', 'ZZZZ9999'],
  ['empty', '   '],
  ['oversized', 'X'.repeat(500)],
  ['no text', 12],
])('a code that is %s never fails the enrollment', async (_kind, referral_code) => {
  expect(await outcomeOf(form, { referral_code })).toBe('invalid_code');
});

test('somebody who enters their own code brought no friend', async () => {
  const own = await newClient(form.workspace, { loyalty_program_enabled: true });
  const { code: ownCode } = await referralOf(form.workspace, own.id);
  expect(await outcomeOf(form, { email: own.email, referral_code: ownCode })).toBe('self_referral');
});

test('somebody who was brought is brought once', async () => {
  const body = answers({ referral_code: code });
  expectStatus(await submit(form, body), 200);
  expect(await outcomeOf(form, body)).toBe('already_attributed');
});

test('a member of before is not eligible, a client who was none is', async () => {
  const old = await member(form.workspace);
  expect(await outcomeOf(form, { email: old.email, referral_code: code })).toBe('not_eligible');
  const { email } = await newClient(form.workspace);
  expect(await outcomeOf(form, { email, referral_code: code })).toBe('applied');
});

test('a code of somebody who left the programme brings no friend', async () => {
  const left = await member(form.workspace);
  const { code: leftCode } = await referralOf(form.workspace, left.id);
  const change = { loyalty_program_enabled: false };
  expectStatus(await form.workspace.patch(`:ws/clients/${left.id}`, change), 200);
  expect(await outcomeOf(form, { referral_code: leftCode })).toBe('referrer_not_enrolled');
});

test('a programme that is off or full says so', async () => {
  const own = await newForm();
  await programIn(own.workspace, { max_referrals_per_referrer: 1 });
  const by = await member(own.workspace);
  const { code: ownCode } = await referralOf(own.workspace, by.id);
  expect(await outcomeOf(own, { referral_code: ownCode })).toBe('applied');
  const [{ id }] = (await own.workspace.get(':ws/referrals')).body.data;
  expectStatus(await own.workspace.post(`:ws/referrals/${id}/complete`), 200);
  expect(await outcomeOf(own, { referral_code: ownCode })).toBe('referrer_at_cap');
  await programIn(own.workspace, { enabled: false });
  expect(await outcomeOf(own, { referral_code: ownCode })).toBe('program_disabled');
  expect(await stats(own.workspace)).toMatchObject({ pending: 0, completed: 1 });
});

test('a code of another workspace has no owner', async () => {
  const elsewhere = await newForm();
  await programIn(elsewhere.workspace);
  expect(await outcomeOf(elsewhere, { referral_code: code })).toBe('invalid_code');
});

import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { atEveryCall, type Death, mortal } from '@laurel/testing';
import type { EnrollmentDeps } from '../../deps';
import { ABANDONED_MS, Harness } from '../../testing/enrollment-harness';
import { updateDistribution } from '../distribution/update-distribution';
import { sweepEnrollments } from './sweep-enrollments';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const newEmail = () => `${newId()}@mail.example`;
const clientsOf = (email: string) => harness.clients.rows.filter((row) => row.email === email);

/** What the other replicas do, once what was left behind counts as abandoned. */
async function sweep(): Promise<void> {
  harness.clock.advanceMs(ABANDONED_MS + 1);
  await sweepEnrollments(harness.deps);
}

/** A process that is killed at one of its calls; whether it got through. */
async function dieAt(
  death: Death,
  command: (deps: EnrollmentDeps) => Promise<unknown>,
): Promise<boolean> {
  const dying = mortal(harness.deps.connection, death);
  const replica = harness.depsOver(dying.connection, dying.peer);
  dying.arm();
  await Promise.race([command(replica), dying.died]);
  return !dying.isDead();
}

describe.each(['before', 'after'] as const)('killed %s any of its calls', (when) => {
  test('an enrollment that was written down is completed by others, once', async () => {
    const calls = await atEveryCall(when, async (death) => {
      const email = newEmail();
      const answers = { email, referral_code: 'ABCDEFGH' };
      const through = await dieAt(death, (deps) => harness.submit(answers, { deps }));
      await sweep();
      const clients = clientsOf(email);
      expect([death, clients.length <= 1]).toEqual([death, true]);
      for (const { id, loyalty_program_enabled } of clients) {
        expect([death, loyalty_program_enabled]).toEqual([death, true]);
        expect([death, (await harness.passesOf(id)).length]).toEqual([death, 1]);
        const told = [...harness.attributions.values()].filter(
          ({ referee_client_id }) => referee_client_id === id,
        );
        // Who was new stays new, whatever was done of it before the death.
        expect([death, told.map((each) => each.already_enrolled)]).toEqual([death, [false]]);
      }
      expect([death, await harness.openInputs()]).toEqual([death, 0]);
      return through;
    });
    expect(calls).toBeGreaterThan(10);
  });

  test('a form whose client was made is completed and counted once, however many others came since', async () => {
    const { distribution, deps, workspaceId } = harness;
    const submissions = deps.connection.collection<{ _id: string; recent: string[] }>(
      'submissions',
    );
    const completedAfter = async (death: Death) => {
      harness.distribution = await harness.newDistribution({ submission_limit: 1 });
      const { id } = harness.distribution;
      const email = newEmail();
      const through = await dieAt(death, (replica) => harness.submit({ email }, { deps: replica }));
      const made = clientsOf(email);
      // As many as are remembered have come since.
      if (made.length > 0) await submissions.updateOne({ _id: id }, { $set: { recent: [] } });
      await sweep();
      for (const client of made) {
        expect([death, (await harness.passesOf(client.id)).length]).toEqual([death, 1]);
        expect([death, await deps.submissions.countOf(workspaceId, id)]).toEqual([death, 1]);
      }
      return through;
    };
    try {
      await atEveryCall(when, completedAfter);
    } finally {
      harness.distribution = distribution;
    }
  });

  test('its repeat is answered as the first time would have been: somebody new stays new', async () => {
    await atEveryCall(when, async (death) => {
      const [email, operationId] = [newEmail(), newId()];
      const answers = { email, referral_code: 'ABCDEFGH' };
      const through = await dieAt(death, (deps) => harness.submit(answers, { deps, operationId }));
      const reply = await harness.submit(answers, { operationId });
      expect([death, reply.is_resend, reply.referral_outcome]).toEqual([death, false, 'applied']);
      expect([death, reply.client_token === null]).toEqual([death, false]);
      const [client, ...others] = clientsOf(email);
      expect([death, others]).toEqual([death, []]);
      const passes = await harness.passesOf(client!.id);
      expect([death, passes.map(({ id }) => id)]).toEqual([death, [reply.pass_id]]);
      return through;
    });
  });

  test('somebody who is known gets one mail', async () => {
    await atEveryCall(when, async (death) => {
      const email = newEmail();
      harness.clients.add({ email, first_name: 'Ann' });
      const through = await dieAt(death, (deps) => harness.submit({ email }, { deps }));
      await sweep();
      const mails = (await harness.mails()).filter(({ to }) => to === email);
      const [client] = clientsOf(email);
      expect([death, await harness.passesOf(client!.id)]).toEqual([death, []]);
      expect([death, client!.loyalty_program_enabled]).toEqual([death, false]);
      expect([death, mails.length <= 1]).toEqual([death, true]);
      if (through) expect(mails).toHaveLength(1);
      return through;
    });
  });

  test('a link that is pressed gives one pass, whichever replica ends it', async () => {
    await atEveryCall(when, async (death) => {
      const email = newEmail();
      const { id } = harness.clients.add({ email, first_name: 'Ann' });
      await harness.submit({ email, last_name: 'Lo', referral_code: 'ABCDEFGH' });
      const token = await harness.tokenFor(email);
      const operationId = newId();
      const through = await dieAt(death, (deps) => harness.confirm(token, { deps, operationId }));
      // The gateway asks again for the press whose answer it did not get.
      const reply = await harness.confirm(token, { operationId });
      expect([death, reply.client_token === null]).toEqual([death, false]);
      expect([death, (await harness.confirm(token)).client_token]).toEqual([death, null]);
      expect([death, reply.referral_outcome]).toEqual([death, 'applied']);
      const passes = await harness.passesOf(id);
      expect([death, passes.map((pass) => pass.id)]).toEqual([death, [reply.pass_id]]);
      const [client] = clientsOf(email);
      expect(client).toMatchObject({ first_name: 'Ann', last_name: 'Lo' });
      expect([death, await harness.openInputs()]).toEqual([death, 0]);
      return through;
    });
  });
});

test('many sendings of one new address make one client and one pass, and one of them is new', async () => {
  const email = newEmail();
  const replies = await Promise.all(Array.from({ length: 12 }, () => harness.submit({ email })));
  expect(clientsOf(email)).toHaveLength(1);
  const news = replies.filter(({ client_token }) => client_token !== null);
  expect(news).toHaveLength(1);
  expect(await harness.passesOf(clientsOf(email)[0]!.id)).toHaveLength(1);
  for (const { pass_id, is_resend } of replies) {
    // Who comes before there is a pass hears of none.
    if (pass_id !== null) expect(pass_id).toBe(news[0]!.pass_id);
    expect(pass_id === null && is_resend).toBe(false);
  }
});

test('two who drive one operation at once do it once', async () => {
  const [email, operationId] = [newEmail(), newId()];
  harness.clients.add({ email });
  const submit = () => harness.submit({ email }, { operationId });
  const [one, two] = await Promise.all([submit(), submit()]);
  expect(two).toEqual(one);
  expect((await harness.mails()).filter(({ to }) => to === email)).toHaveLength(1);
});

test('a referral that cannot be asked about fails no enrollment', async () => {
  const Attribute = () => Promise.reject(platform.serviceUnavailable());
  const referrals = { ...harness.deps.referrals, Attribute };
  const deps = { ...harness.deps, referrals };
  const reply = await harness.submit({ email: newEmail(), referral_code: 'ABCDEFGH' }, { deps });
  expect([reply.referral_outcome, reply.client_token === null]).toEqual(['error', false]);
});

test('what is refused leaves nothing behind, and may be sent again', async () => {
  const enrollees = {
    ...harness.deps.enrollees,
    CreateClient: () => Promise.reject(platform.invalidPayload({ field: 'custom_fields.age' })),
  };
  const [email, operationId] = [newEmail(), newId()];
  const refused = harness.submit({ email }, { deps: { ...harness.deps, enrollees }, operationId });
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  expect(await harness.openInputs()).toBe(0);
  expect((await harness.submit({ email }, { operationId })).client_token).not.toBeNull();
});

test('somebody who is erased while their form is worked on gets no pass, and the form does not stay', async () => {
  const enrollees = {
    ...harness.deps.enrollees,
    async CreateClient(request: Parameters<EnrollmentDeps['enrollees']['CreateClient']>[0]) {
      const made = await harness.deps.enrollees.CreateClient(request);
      harness.clients.rows.find(({ id }) => id === made.id)!.status = 'anonymized';
      return made;
    },
  };
  const email = newEmail();
  const erased = harness.submit({ email }, { deps: { ...harness.deps, enrollees } });
  await expect(erased).rejects.toMatchObject({ httpStatus: 400 });
  expect(await harness.openInputs()).toBe(0);
  await sweep();
  expect(await harness.passesOf(clientsOf(email)[0]!.id)).toEqual([]);
});

test('a number that a stranger typed into a form decides over no other address, and gets no mail about it', async () => {
  const phone = '+48600700801';
  const [strangers, own] = [newEmail(), newEmail()];
  await harness.submit({ email: strangers, phone });
  const mailsTo = async (email: string) => (await harness.mails()).filter(({ to }) => to === email);
  const before = await mailsTo(strangers);
  const reply = await harness.submit({ email: own, phone, first_name: 'Vera' });
  expect(reply.client_token).not.toBeNull();
  expect(clientsOf(own)).toMatchObject([{ first_name: 'Vera' }]);
  expect(clientsOf(own)[0]!.phone ?? null).toBeNull();
  expect(clientsOf(strangers)[0]!.phone).toBe(phone);
  expect(await mailsTo(strangers)).toEqual(before);
  expect(await mailsTo(phone)).toEqual([]);
});

test('a number that the workspace has noted leads to its client, whose own address gets the mail', async () => {
  const phone = '+48600700802';
  const [noted, given] = [newEmail(), newEmail()];
  harness.clients.add({ phone, email: noted });
  const reply = await harness.submit({ email: given, phone });
  expect([reply.client_token, clientsOf(given)]).toEqual([null, []]);
  const mails = await harness.mails();
  expect(mails.filter(({ to }) => to === noted)).toHaveLength(1);
  expect(mails.filter(({ to }) => to === given)).toEqual([]);
});

test('somebody of whom only a number is known gets a link to confirm by text', async () => {
  const phone = '+48600700800';
  harness.clients.add({ phone, email: null });
  const reply = await harness.submit({ email: newEmail(), phone });
  expect([reply.email_sent, reply.apple_pass_url]).toEqual([false, null]);
  const [text] = (await harness.mails()).filter(({ to }) => to === phone);
  expect(text).toMatchObject({ channel: 'sms', text: expect.stringContaining('/confirm?token=') });
});

test('the mail leads into the portal without naming the client', async () => {
  const email = newEmail();
  await harness.submit({ email, first_name: 'Ann' });
  const [{ id } = { id: '' }] = clientsOf(email);
  await harness.submit({ email });
  const [mail] = (await harness.mails()).filter(({ to }) => to === email);
  expect(mail!.text).toContain('Hello Ann,');
  expect(mail!.text).toMatch(/https:\/\/laurel\.example\/portal\/coffee\?token=[\w-]+/);
  expect(mail!.text).not.toContain(id);
});

test('a pass that shows another template for a while is the pass that comes back', async () => {
  const email = newEmail();
  const { pass_id } = await harness.submit({ email });
  const other = await harness.newDistribution();
  const change = {
    $set: {
      pass_template_id: other.pass_template_id,
      previous_template_id: harness.distribution.pass_template_id,
    },
  };
  const passes = harness.store.connection.collection<{ _id: string }>('passes');
  await passes.updateOne({ _id: pass_id! }, change);
  expect(await harness.submit({ email })).toMatchObject({ pass_id, is_resend: true });
});

test('another form under the same key is refused, and learns nothing of who sent the first', async () => {
  // How long a key stands for one request is counted by the real clock.
  harness.clock.advanceMs(Date.now() - harness.clock.now().getTime());
  const [email, other, operationId] = [newEmail(), newEmail(), newId()];
  const send = (to: string) => harness.submit({ email: to }, { operationId, fingerprint: to });
  const { pass_id } = await send(email);
  await expect(send(other)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(clientsOf(other)).toEqual([]);
  expect(await send(email)).toMatchObject({ pass_id, is_resend: false });
});

test('a form that was sent before it closed is answered again as then', async () => {
  const { deps, workspaceId: workspace_id } = harness;
  const { id } = await harness.newDistribution();
  const [answers, operationId] = [{ door: { distribution_id: id }, email: newEmail() }, newId()];
  const { pass_id } = await harness.submit(answers, { operationId });
  await updateDistribution(deps, { workspace_id, id, status: 'paused' });
  expect(await harness.submit(answers, { operationId })).toMatchObject({
    pass_id,
    is_resend: false,
  });
  await expect(harness.submit(answers)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

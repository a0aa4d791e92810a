import { createHash } from 'node:crypto';
import { createEvent, listenerFor, type Once } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { erasePerson, mergePerson, unitOfWork } from '@laurel/mongo';
import type { tiers as tiersApi } from '@laurel/rpc';
import { atEveryCall, mortal, workOff } from '@laurel/testing';
import { enrollmentConsumers } from '../../consumers';
import type { EnrollmentDeps } from '../../deps';
import { CONFIRM_MS, REPEAT_MS } from '../../domain/enrollment/confirmation';
import { Harness } from '../../testing/enrollment-harness';
import { syncTier } from '../pass/sync-tier';
import { updatePass } from '../pass/update-pass';
import { createTemplate } from '../template/create-template';
import { updateTemplate } from '../template/update-template';
import { getEnrollmentConfirmation } from './confirm-enrollment';
import { confirmationCatchUp } from './finish-enrollment';
import { submitEnrollment } from './submit-enrollment';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const DAY_MS = 86_400_000;
const newEmail = () => `${newId()}@mail.example`;
const digest = (token: string) => createHash('sha256').update(token).digest('hex');
const ended = { code: 'INVALID_PAYLOAD', problems: [{ field: 'token' }] };

/** Somebody known, a form with their address, and the token that was mailed to them. */
async function asked(answers: Parameters<Harness['submit']>[0] = {}) {
  const email = newEmail();
  const client = harness.clients.add({ email, first_name: 'Ann' });
  const reply = await harness.submit({ email, last_name: 'Lo', ...answers });
  return { email, client, reply, token: await harness.tokenFor(email) };
}
const confirmations = () =>
  harness.store.connection.collection<{ _id: string; input_json: string | null }>(
    'enrollment_confirmations',
  );

test('nothing of somebody who is known changes before they press the button, however often it is looked at', async () => {
  const { client, reply, token } = await asked({
    marketing_consent: true,
    referral_code: 'ABCDEFGH',
  });
  const before = structuredClone(client);
  for (let look = 0; look < 3; look += 1)
    await getEnrollmentConfirmation(harness.deps, { token_sha256: digest(token) });
  expect(client).toEqual(before);
  expect(harness.clients.updates.filter(({ id }) => id === client.id)).toEqual([]);
  expect(await harness.passesOf(client.id)).toEqual([]);
  const told = [...harness.attributions.values()].map((each) => each.referee_client_id);
  expect(told).not.toContain(client.id);
  expect(reply).toMatchObject({ pass_id: null, is_resend: false, client_token: null });
  await harness.confirm(token);
  expect(client).toMatchObject({ last_name: 'Lo', marketing_consent: true });
  expect(client.loyalty_program_enabled).toBe(true);
  const [update] = harness.clients.updates.filter(({ id }) => id === client.id);
  expect(update!.change_source ?? 'enrollment').toBe('enrollment');
});

test('who confirms may read what the shop says on privacy, also where only its brand says it', async () => {
  const { token } = await asked({ marketing_consent: true });
  const { identity } = harness.deps;
  const brand = { privacy_url: 'https://shop.example/privacy' };
  const GetWorkspace: typeof identity.GetWorkspace = async (request) => ({
    ...(await identity.GetWorkspace(request)),
    brand: brand as never,
  });
  const deps = { ...harness.deps, identity: { ...identity, GetWorkspace } };
  const { privacy_url } = await getEnrollmentConfirmation(deps, { token_sha256: digest(token) });
  expect(privacy_url).toBe(brand.privacy_url);
});

test('a link pressed twice, or ten times at once, does it once and gives one answer what opens the account', async () => {
  const { client, token } = await asked();
  const replies = await Promise.all(Array.from({ length: 10 }, () => harness.confirm(token)));
  replies.push(await harness.confirm(token));
  const opening = replies.filter(({ client_token }) => client_token !== null);
  expect(opening).toHaveLength(1);
  const { pass_id } = opening[0]!;
  expect(opening[0]).toMatchObject({ pass_id: expect.any(String), is_resend: false });
  expect(opening[0]!.apple_pass_url).not.toBeNull();
  for (const reply of replies.filter((each) => each !== opening[0]))
    expect(reply).toMatchObject({ pass_id, apple_pass_url: null, google_pass_url: null });
  expect(await harness.passesOf(client.id)).toHaveLength(1);
  expect(client).toMatchObject({ first_name: 'Ann', last_name: 'Lo' });
});

test('the press whose answer was lost on its way inside gets it again, and no other does', async () => {
  const { token } = await asked();
  const operationId = newId();
  const first = await harness.confirm(token, { operationId });
  const again = await harness.confirm(token, { operationId });
  expect(again).toEqual({ ...first, client_token: expect.any(String) });
  expect((await harness.confirm(token)).client_token).toBeNull();
});

test('a used link ends ten minutes later, and forgets at once what was filled in', async () => {
  const { token } = await asked();
  await harness.confirm(token);
  const row = await confirmations().findOne({ _id: digest(token) });
  expect(row!.input_json).toBeNull();
  const look = getEnrollmentConfirmation(harness.deps, { token_sha256: digest(token) });
  await expect(look).rejects.toMatchObject(ended);
  harness.clock.advanceMs(REPEAT_MS + 1);
  await expect(harness.confirm(token)).rejects.toMatchObject(ended);
});

test('a link ends after two days, and only its digest is kept', async () => {
  const { client, token } = await asked();
  const rows = await confirmations().find({}).toArray();
  expect(JSON.stringify(rows)).not.toContain(token);
  harness.clock.advanceMs(CONFIRM_MS + 1);
  await expect(harness.confirm(token)).rejects.toMatchObject(ended);
  await expect(harness.confirm(`${token}x`)).rejects.toMatchObject(ended);
  expect(await harness.passesOf(client.id)).toEqual([]);
});

test.each(['deleted', 'anonymized'])(
  'links of somebody who was %s end, and what was filled in goes',
  async (how) => {
    const { client, token } = await asked();
    if (how === 'deleted') harness.clients.rows.splice(harness.clients.rows.indexOf(client), 1);
    else client.status = 'anonymized';
    // Also before the news has arrived here.
    await expect(harness.confirm(token)).rejects.toMatchObject(ended);
    const ending = how === 'deleted' ? 'deleted' : 'anonymized';
    await erasePerson(harness.deps, {
      workspaceId: harness.workspaceId,
      clientId: client.id,
      ending,
    });
    expect(await confirmations().findOne({ _id: digest(token) })).toBeNull();
    await expect(harness.confirm(token)).rejects.toMatchObject(ended);
    expect(await harness.passesOf(client.id)).toEqual([]);
  },
);

test('a link ends when its mailbox is the client’s no longer', async () => {
  const { client, token } = await asked({ marketing_consent: true });
  client.email = newEmail();
  // Neither the page behind it nor its button: who has the old mailbox reads no answers.
  const look = getEnrollmentConfirmation(harness.deps, { token_sha256: digest(token) });
  await expect(look).rejects.toMatchObject(ended);
  await expect(harness.confirm(token)).rejects.toMatchObject(ended);
  expect(client.last_name ?? null).toBeNull();
  expect(client.marketing_consent).toBe(false);
  expect(await harness.passesOf(client.id)).toEqual([]);
});

test('who fills a form in again hears of the card that they have, also where their tier has put it on another template', async () => {
  const { client, token } = await asked();
  const { pass_id } = await harness.confirm(token);
  const { pass_template_id } = await harness.newDistribution();
  await climb(client.id, pass_template_id);
  expect(await harness.passesOf(client.id)).toMatchObject([{ id: pass_id, pass_template_id }]);
  const again = { pass_id, is_resend: true };
  expect(await harness.submit({ email: client.email! })).toMatchObject(again);
  expect(await harness.confirm(await harness.tokenFor(client.email!))).toMatchObject(again);
  expect(await harness.passesOf(client.id)).toHaveLength(1);
});

describe('who has a card that ended', () => {
  /** A form by whose template cards last thirty days, and somebody whose card from there has ended and who filled it in again. */
  async function askedAgain(status: 'active' | 'voided') {
    const { deps, workspaceId: workspace_id } = harness;
    const { project_id } = await harness.newDistribution();
    const fields = { name: 'Card', expires_after_days: 30 };
    const { template } = await createTemplate(deps, { workspace_id, project_id, fields });
    const place = { project_id, pass_template_id: template!.id };
    const door = { distribution_id: (await harness.newDistribution(place)).id };
    const { client, token: first } = await asked({ door });
    const { pass_id } = await harness.confirm(first);
    const find = async () => (await deps.passes.find(workspace_id, pass_id!))!;
    if (status !== 'active') await updatePass(deps, { workspace_id, id: pass_id!, status });
    const { expires_at: ended } = await find();
    harness.clock.set(ended!);
    const reply = await harness.submit({ email: client.email!, last_name: 'Lo', door });
    expect(reply).toMatchObject({ pass_id, is_resend: true });
    expect(await find()).toMatchObject({ status, expires_at: ended });
    return {
      client,
      pass_id: pass_id!,
      ended: ended!,
      token: await harness.tokenFor(client.email!),
    };
  }
  const confirmedPass = async (token: string, id: string) => {
    const confirmed = await harness.confirm(token);
    expect(confirmed).toMatchObject({ pass_id: id, is_resend: true });
    expect(confirmed.apple_pass_url).not.toBeNull();
    return harness.deps.passes.find(harness.workspaceId, id);
  };
  const mailedLinks = async (email: string) =>
    (await harness.mails()).filter(({ to, text }) => to === email && /Wallet/.test(text)).length;

  test('has it for as long again as a new one, once they confirm that they filled the form in', async () => {
    const { pass_id, ended, token } = await askedAgain('active');
    const pass = await confirmedPass(token, pass_id);
    expect(pass!.expires_at).toEqual(new Date(ended.getTime() + 30 * DAY_MS));
  });

  test('has it without an end where cards of the form have none any more', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const { pass_id, token } = await askedAgain('active');
    const { pass_template_id: id } = (await deps.passes.find(workspace_id, pass_id))!;
    await updateTemplate(deps, { workspace_id, id, fields: { expires_after_days: null } });
    expect((await confirmedPass(token, pass_id))!.expires_at).toBeNull();
  });

  test('gets none for longer than staff said that it is good', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const { client, pass_id, token } = await askedAgain('active');
    const expires_at = new Date(harness.clock.now().getTime() - 1).toISOString();
    await updatePass(deps, { workspace_id, id: pass_id, expires_at });
    const refused = { code: 'CONFLICT', message: expect.stringContaining('expired') };
    await expect(harness.confirm(token)).rejects.toMatchObject(refused);
    expect(await harness.passesOf(client.id)).toMatchObject([
      { id: pass_id, expires_at: new Date(expires_at) },
    ]);
  });

  test.each([
    ['none that staff ended', null, 'CONFLICT'],
    ['one that its template ended', 30, 'renewed'],
  ])(
    'gets of cards from before that was noted %s back: one on a template without an end can only be ended by staff',
    async (_, expires_after_days, came) => {
      const { deps, workspaceId: workspace_id } = harness;
      const { pass_id, ended, token } = await askedAgain('active');
      const { pass_template_id: id } = (await deps.passes.find(workspace_id, pass_id))!;
      await updateTemplate(deps, { workspace_id, id, fields: { expires_after_days } });
      await harness.store.connection
        .collection<{ _id: string }>('passes')
        .updateOne({ _id: pass_id }, { $unset: { expiry_given: '' } });
      const confirmed = await harness.confirm(token).then(
        () => 'renewed',
        ({ code }) => code,
      );
      expect(confirmed).toBe(came);
      const { expires_at } = (await deps.passes.find(workspace_id, pass_id))!;
      const renewed = new Date(ended.getTime() + 30 * DAY_MS);
      expect(expires_at).toEqual(came === 'renewed' ? renewed : ended);
      const { expiry_given } = (await deps.passes.find(workspace_id, pass_id))!;
      expect(expiry_given).toBe(came === 'renewed' ? false : null);
    },
  );

  test.each([
    ['the same end', 0],
    ['a later one', 60_000],
  ])('has it for as long again though staff named %s meanwhile', async (_, ms) => {
    const { deps, workspaceId: workspace_id } = harness;
    const { pass_id, ended, token } = await askedAgain('active');
    const named = new Date(ended.getTime() + ms);
    const expires_at = named.toISOString();
    await updatePass(deps, { workspace_id, id: pass_id, expires_at });
    harness.clock.set(named);
    const pass = await confirmedPass(token, pass_id);
    expect(pass!.expires_at).toEqual(new Date(named.getTime() + 30 * DAY_MS));
  });

  test('is handed out none that staff voided, by mail neither, until staff restore it', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const { client, pass_id, token } = await askedAgain('voided');
    expect(await mailedLinks(client.email!)).toBe(0);
    const refused = { code: 'CONFLICT', message: expect.stringContaining('voided') };
    for (let press = 0; press < 2; press += 1)
      await expect(harness.confirm(token)).rejects.toMatchObject(refused);
    expect(await harness.passesOf(client.id)).toMatchObject([{ id: pass_id, status: 'voided' }]);
    expect(client.last_name).toBe('Lo');
    const expires_at = new Date(harness.clock.now().getTime() + DAY_MS).toISOString();
    await updatePass(deps, { workspace_id, id: pass_id, status: 'active', expires_at });
    await confirmedPass(token, pass_id);
  });
});

/** The client reaches a tier that asks for a template of its own. */
async function climb(clientId: string, pass_template_id: string): Promise<void> {
  const { deps, workspaceId } = harness;
  const tier = { id: newId(), name: 'Gold', pass_template_id } as tiersApi.Tier;
  const placement = { client_id: clientId, tier_id: tier.id, manually_assigned: false };
  const tiers: EnrollmentDeps['tiers'] = {
    GetTiers: async () => ({ tiers: [tier] }),
    ListTiers: async () => ({ tiers: [tier] }),
    GetClientTiers: async () => ({ placements: [placement] }),
  };
  const once: Once = (effect) => unitOfWork(deps.connection, effect);
  await syncTier({ ...deps, tiers }, { workspaceId, clientId }, once);
}

test('a link of somebody who was merged is about who they are now', async () => {
  const { client, token } = await asked();
  const target = harness.clients.add({ email: newEmail(), first_name: 'Ann' });
  harness.clients.rows.splice(harness.clients.rows.indexOf(client), 1);
  await mergePerson(harness.deps, {
    workspaceId: harness.workspaceId,
    source: client.id,
    target: target.id,
  });
  const { pass_id } = await harness.confirm(token);
  expect((await harness.passesOf(target.id)).map(({ id }) => id)).toEqual([pass_id]);
  expect(target.last_name).toBe('Lo');
});

describe('of a form about somebody who goes at the very moment, what was filled in', () => {
  /** The client of a form is found; what happens then comes before the end of the form. */
  async function askedMeanwhile(
    happens: (clientId: string) => Promise<void>,
    { deps, died }: { deps: EnrollmentDeps; died?: Promise<unknown> } = harness,
  ) {
    const client = harness.clients.add({ email: newEmail(), first_name: 'Ann' });
    const count: typeof deps.enrollmentMails.count = async (...args) => {
      await happens(client.id);
      return deps.enrollmentMails.count(...args);
    };
    const meanwhile = { ...deps, enrollmentMails: { ...deps.enrollmentMails, count } };
    const before = await confirmations().distinct('_id');
    const submitted = harness.submit(
      { email: client.email!, last_name: 'Lo' },
      { deps: meanwhile },
    );
    await Promise.race([submitted, died ?? submitted]);
    harness.clock.advanceMs(60_000);
    await workOff(confirmationCatchUp(harness.deps));
    return confirmations()
      .find({ _id: { $nin: before } })
      .toArray();
  }
  const hear = async (type: 'clients.anonymized' | 'clients.merged', data: object) => {
    const event = createEvent(type, {
      workspaceId: harness.workspaceId,
      subject: newId(),
      data: data as never,
    });
    const clients = enrollmentConsumers(harness.deps)[1]!;
    const once: Once = (effect) => unitOfWork(harness.store.connection, effect);
    await listenerFor(clients, type)!(event, once);
  };

  test('goes, if they are anonymized', async () => {
    const kept = await askedMeanwhile((client_id) => hear('clients.anonymized', { client_id }));
    expect(kept).toEqual([]);
  });

  test.each(['before', 'after'] as const)(
    'goes, if they are anonymized and the process is killed %s any call from there on',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        const dying = mortal(harness.store.connection, death);
        const happens = async (client_id: string) => {
          await hear('clients.anonymized', { client_id });
          dying.arm();
        };
        const replica = { deps: harness.depsOver(dying.connection), died: dying.died };
        expect([death, await askedMeanwhile(happens, replica)]).toEqual([death, []]);
        return !dying.isDead();
      });
      expect(calls).toBeGreaterThan(5);
    },
  );

  test('is about the client that they are then, if they are merged', async () => {
    const target = harness.clients.add({ email: newEmail() }).id;
    const kept = await askedMeanwhile((source) =>
      hear('clients.merged', { source_client_id: source, target_client_id: target }),
    );
    expect(kept).toMatchObject([{ client_id: target }]);
  });
});

test('a number goes to the one who confirmed it, unless somebody else has it', async () => {
  const phone = '+48600111333';
  const { client, token } = await asked({ phone });
  await harness.confirm(token);
  expect(client.phone).toBe(phone);
  const other = await asked({ phone });
  await harness.confirm(other.token);
  expect(other.client.phone).toBeUndefined();
});

test('one source sends no address more than ten mails a day, however many forms come at once, and all of them twenty', async () => {
  const email = newEmail();
  harness.clients.add({ email });
  const sentFrom = async (ip: string, times: number) => {
    const forms = Array.from({ length: times }, () => harness.submit({ email, ip }));
    return (await Promise.all(forms)).filter(({ email_sent }) => email_sent).length;
  };
  expect(await sentFrom('192.0.2.1', 14)).toBe(10);
  // What one source used up, the client still has from theirs.
  expect(await sentFrom('192.0.2.2', 6)).toBe(6);
  expect(await sentFrom('192.0.2.3', 6)).toBe(4);
  expect((await harness.mails()).filter(({ to }) => to === email)).toHaveLength(20);
});

describe('a limit of submissions', () => {
  const limitedTo = (submission_limit: number) => harness.newDistribution({ submission_limit });
  const sent = (replies: PromiseSettledResult<unknown>[]) =>
    replies.filter(({ status }) => status === 'fulfilled').length;

  test('holds however many come at once', async () => {
    const { id } = await limitedTo(3);
    const door = { distribution_id: id };
    const all = Array.from({ length: 10 }, () => harness.submit({ door, email: newEmail() }));
    const replies = await Promise.allSettled(all);
    expect(sent(replies)).toBe(3);
    for (const reply of replies)
      if (reply.status === 'rejected') expect(reply.reason).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('counts who is known, and not who is refused or repeats', async () => {
    const { id } = await limitedTo(2);
    const door = { distribution_id: id };
    await expect(harness.submit({ door, first_name: ' ' })).rejects.toThrow();
    const CreateClient = () => Promise.reject(Object.assign(new Error('away')));
    const enrollees = { ...harness.deps.enrollees, CreateClient };
    const refusing = { ...harness.deps, enrollees };
    await expect(harness.submit({ door, email: newEmail() }, { deps: refusing })).rejects.toThrow();
    const operationId = newId();
    const known = newEmail();
    harness.clients.add({ email: known });
    const first = await harness.submit({ door, email: known }, { operationId });
    // The link still holds when the form is full.
    await expect(harness.submit({ door, email: newEmail() })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await harness.submit({ door, email: known }, { operationId })).toEqual(first);
    expect((await harness.confirm(await harness.tokenFor(known))).client_token).not.toBeNull();
  });
});

test('a form is closed before it begins and from its end on', async () => {
  const now = harness.clock.now().getTime();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const { id } = await harness.newDistribution({ starts_at: at(1_000), ends_at: at(5_000) });
  const door = { distribution_id: id };
  const closed = { code: 'FORBIDDEN', message: 'enrollment is closed' };
  const submit = () => harness.submit({ door, email: newEmail() });
  await expect(submit()).rejects.toMatchObject(closed);
  harness.clock.advanceMs(1_000);
  await submit();
  harness.clock.advanceMs(4_000);
  await expect(submit()).rejects.toMatchObject(closed);
});

test('a form that was stored before these were there is open', async () => {
  const { id } = await harness.newDistribution();
  const rows = harness.store.connection.collection<{ _id: string }>('distributions');
  const names = ['starts_at', 'ends_at', 'submission_limit', 'privacy_url', 'terms_url'];
  const gone = Object.fromEntries(names.map((name) => [name, '' as const]));
  await rows.updateOne({ _id: id }, { $unset: gone });
  const submission = { door: { distribution_id: id }, ip: '', email: newEmail(), first_name: 'Bo' };
  expect((await submitEnrollment(harness.deps, submission)).client_token).not.toBeNull();
});

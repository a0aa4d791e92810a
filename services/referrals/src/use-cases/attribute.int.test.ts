import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { createHarness, type Harness, openDatabase, snapshotOf } from '../testing/harness';
import { attribute } from './attribute';
import { completeReferral } from './complete-referral';
import { getClientReferral } from './get-client-referral';
import { listReferrals } from './list-referrals';

let database: Awaited<ReturnType<typeof openDatabase>>;
let harness: Harness;
beforeAll(async () => {
  database = await openDatabase();
});
beforeEach(() => {
  harness = createHarness(database.connections);
});
afterAll(() => database.drop());

const list = (more = {}) =>
  listReferrals(harness.deps, {
    workspace_id: harness.workspaceId,
    limit: 100,
    offset: 0,
    ...more,
  });

describe('a code', () => {
  test('is minted once however often and wherever it is asked for at once', async () => {
    await harness.program();
    const { id: client_id } = harness.client();
    const request = { workspace_id: harness.workspaceId, client_id };
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, position) =>
        getClientReferral(position % 2 ? harness.deps : harness.other, request),
      ),
    );
    expect(new Set(replies.map(({ code }) => code)).size).toBe(1);
    expect(replies[0]).toMatchObject({
      code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/),
      share_url: null,
      stats: { pending: 0, completed: 0, expired: 0, cancelled: 0 },
      program_enabled: true,
    });
  });

  test('is not minted without a program, while it is off, or for a client who is not enrolled', async () => {
    const member = { workspace_id: harness.workspaceId, client_id: harness.client().id };
    expect((await getClientReferral(harness.deps, member)).code).toBeNull();
    await harness.program({ enabled: false });
    const off = await getClientReferral(harness.deps, member);
    expect(off).toMatchObject({ code: null, program_enabled: false });
    await harness.program();
    const { id: stranger } = harness.client({ loyalty_program_enabled: false });
    const outside = { ...member, client_id: stranger };
    expect((await getClientReferral(harness.deps, outside)).code).toBeNull();
  });

  test('that was minted is still shown when the program is off', async () => {
    await harness.program();
    const { id } = harness.client();
    const code = await harness.codeOf(id);
    await harness.program({ enabled: false });
    expect(await harness.codeOf(id)).toBe(code);
  });
});

describe('entering a code', () => {
  test('makes a pending referral with the program of that moment, in any case and with blanks', async () => {
    await harness.program({ pending_expiry_days: 30 });
    const [referrer, referee] = [harness.client({ first_name: 'Rae' }), harness.client()];
    const code = await harness.codeOf(referrer.id);
    const reply = await harness.enter(` ${code.toLowerCase()} `, referee.id);
    expect(reply).toEqual({ outcome: 'applied', referral_id: expect.any(String) });
    const { referrals, total } = await list();
    expect(total).toBe(1);
    expect(referrals[0]).toMatchObject({
      referral: {
        id: reply.referral_id,
        referrer_client_id: referrer.id,
        referee_client_id: referee.id,
        referral_code: code,
        status: 'pending',
        completion_criteria: 'first_transaction',
        expires_at: '2026-02-14T10:00:00.000Z',
      },
      referrer: { first_name: 'Rae', email: referrer.email },
      referee: { email: referee.email },
    });
    expect(await harness.told('referrals.referral_created')).toHaveLength(1);
  });

  test('that no client has, or none at all, is invalid_code, also while the program is off', async () => {
    await harness.program({ enabled: false });
    const { id } = harness.client();
    for (const code of ['', '   ', 'AAAAAAAA', 'x'.repeat(21), '🙂🙂🙂🙂']) {
      expect(await harness.enter(code, id)).toEqual({ outcome: 'invalid_code' });
    }
  });

  test('of another workspace is invalid_code', async () => {
    await harness.program();
    const code = await harness.codeOf(harness.client().id);
    const request = { workspace_id: newId(), code, already_enrolled: false };
    const reply = await attribute(harness.deps, {
      ...request,
      referee_client_id: harness.client().id,
    });
    expect(reply).toEqual({ outcome: 'invalid_code' });
  });

  test('of one’s own, by client, e-mail address or phone number, is self_referral', async () => {
    await harness.program();
    const me = harness.client({ email: 'Ada@Example.com', phone: '+49 151 2345 6789' });
    const code = await harness.codeOf(me.id);
    const self = { outcome: 'self_referral' };
    expect(await harness.enter(code, me.id)).toEqual(self);
    const again = harness.client();
    expect(await harness.enter(code, again.id, { email: ' ada@example.COM' })).toEqual(self);
    expect(await harness.enter(code, again.id, { phone: '0049 151 23456789' })).toEqual(self);
    const phone = harness.client({ phone: '+4915123456789' });
    expect(await harness.enter(code, phone.id)).toEqual(self);
    expect((await harness.enter(code, again.id)).outcome).toBe('applied');
  });

  test('is refused with its outcome and leaves nothing behind', async () => {
    await harness.program({ max_referrals_per_referrer: 1 });
    const referrer = harness.client();
    const code = await harness.codeOf(referrer.id);
    const outcomeFor = async (more = {}, referee = harness.client()) =>
      (await harness.enter(code, referee.id, more)).outcome;

    await harness.program({ enabled: false });
    expect(await outcomeFor()).toBe('program_disabled');
    await harness.program({ max_referrals_per_referrer: 1 });
    harness.clients.records.set(referrer.id, { ...referrer, loyalty_program_enabled: false });
    expect(await outcomeFor()).toBe('referrer_not_enrolled');
    harness.clients.records.set(referrer.id, referrer);
    expect(await outcomeFor({ already_enrolled: true })).toBe('not_eligible');
    const referee = harness.client();
    expect(await outcomeFor({}, referee)).toBe('applied');
    expect(await outcomeFor({ already_enrolled: true }, referee)).toBe('already_attributed');
    const [first] = (await list()).referrals;
    await completeReferral(harness.deps, {
      workspace_id: harness.workspaceId,
      id: first!.referral!.id,
    });
    expect(await outcomeFor()).toBe('referrer_at_cap');
    expect((await list()).total).toBe(1);
    expect(await harness.told('referrals.referral_created')).toHaveLength(1);
  });

  test('many times at once for one referee makes one referral, from however many referrers', async () => {
    await harness.program();
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => harness.codeOf(harness.client().id)),
    );
    const referee = harness.client();
    const replies = await Promise.all(
      codes.map((code, position) =>
        harness.enter(code, referee.id, { on: position % 2 ? harness.deps : harness.other }),
      ),
    );
    const outcomes = replies.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual([...Array(5).fill('already_attributed'), 'applied']);
    expect((await list()).total).toBe(1);
  });

  test('while the news of both clients arrive is applied, and shows their names', async () => {
    await harness.program();
    for (let round = 0; round < 8; round += 1) {
      const [referrer, referee] = [harness.client(), harness.client({ first_name: 'Zoe' })];
      const code = await harness.codeOf(referrer.id);
      const created = [referrer, referee].map((client) =>
        harness.event('clients.created', { client_id: client.id, client: snapshotOf(client) }),
      );
      const [reply] = await Promise.all([
        harness.enter(code, referee.id),
        ...created.map((event) => harness.deliver(event, harness.other)),
      ]);
      expect(reply.outcome).toBe('applied');
    }
    const { referrals } = await list();
    expect(referrals).toHaveLength(8);
    for (const { referrer, referee } of referrals) {
      expect([referrer?.first_name, referee?.first_name]).toEqual(['Ada', 'Zoe']);
    }
  });

  test('as a dry run tells the outcome and leaves nothing behind', async () => {
    await harness.program();
    const [code, referee] = [await harness.codeOf(harness.client().id), harness.client()];
    const rehearsed = await harness.enter(code, referee.id, { dry_run: true });
    expect(rehearsed).toEqual({ outcome: 'applied' });
    expect((await list()).total).toBe(0);
    expect(await harness.told('referrals.referral_created')).toEqual([]);
    expect((await harness.enter(code, referee.id)).outcome).toBe('applied');
    const again = await harness.enter(code, referee.id, { dry_run: true });
    expect(again.outcome).toBe('already_attributed');
  });

  test('again within one operation gives the first outcome', async () => {
    await harness.program();
    const code = await harness.codeOf(harness.client().id);
    const request = {
      workspace_id: harness.workspaceId,
      code,
      referee_client_id: harness.client().id,
      already_enrolled: false,
    };
    const context = systemContext();
    const enter = () => runInContext(context, () => attribute(harness.deps, request));
    const first = await enter();
    expect(first.outcome).toBe('applied');
    expect(await enter()).toEqual(first);
    expect((await list()).total).toBe(1);
  });

  test('never closes a circle, however many try at once', async () => {
    await harness.program();
    const circle = Array.from({ length: 4 }, () => harness.client());
    const codes = await Promise.all(circle.map(({ id }) => harness.codeOf(id)));
    const replies = await Promise.all(
      circle.map((_, position) =>
        harness.enter(codes[position]!, circle[(position + 1) % circle.length]!.id, {
          on: position % 2 ? harness.deps : harness.other,
        }),
      ),
    );
    const outcomes = replies.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'not_eligible')).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import { type Broker, connectBroker, createEvent } from '@laurel/events';
import { silentLogger, until } from '@laurel/testing';
import type { Caller, Reply } from './support/api';
import { expectStatus, newClient, newMember, newWorkspace } from './support/factories';
import { closeEnrollment, enroll } from './support/referrals';

jest.setTimeout(60_000);

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const PROGRAM = { enabled: true, completion_criteria: 'first_transaction' };
const NO_REFERRALS = { pending: 0, completed: 0, expired: 0, cancelled: 0 };

let broker: Broker;
beforeAll(async () => {
  const url = process.env.RABBITMQ_URL ?? '';
  broker = await connectBroker({ url, logger: silentLogger, service: 'e2e' });
});
afterAll(async () => {
  closeEnrollment();
  await broker.close();
});

const member = (workspace: Caller, overrides: object = {}) =>
  newClient(workspace, { loyalty_program_enabled: true, ...overrides });

async function programIn(workspace: Caller, overrides: object = {}) {
  const body = { ...PROGRAM, ...overrides };
  return expectStatus(await workspace.put(':ws/referral-program', body), 200).body.data;
}

async function referralOf(workspace: Caller, clientId: string) {
  return expectStatus(await workspace.get(`:ws/clients/${clientId}/referral`), 200).body.data;
}

async function stats(workspace: Caller) {
  return expectStatus(await workspace.get(':ws/referrals/stats'), 200).body.data;
}

/** A referral between two new clients, made as the enrollment form makes it. */
async function pending(workspace: Caller, referrer?: { id: string }) {
  const brought = await newClient(workspace, { first_name: 'Bea' });
  const by = referrer ?? (await member(workspace, { first_name: 'Ada', last_name: 'Lo' }));
  const { code } = await referralOf(workspace, by.id);
  const { outcome, referral_id: id } = await enroll(workspace, code, brought.id);
  expect(outcome).toBe('applied');
  return { id: id!, referrer: by, referee: brought, code };
}

/** A purchase on a pass of the client, told by the trail like any other. */
async function buy(workspace: Caller, clientId: string, overrides: object = {}) {
  const passId = randomUUID();
  const { workspaceId } = workspace;
  const data = {
    pass_id: passId,
    client_id: clientId,
    pass_template_id: randomUUID(),
    project_id: randomUUID(),
  };
  const created = createEvent('passes.pass_created', { workspaceId, subject: passId, data });
  await until(async () => (await broker.publish([created]))[0] === 'confirmed');
  const body = {
    pass_id: passId,
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 12.5,
    currency: 'EUR',
    ...overrides,
  };
  return until(async () => {
    const reply = await workspace.post('/events', body);
    return reply.status === 200 ? reply.body.data : null;
  });
}

function expectRefusal(reply: Reply, status: number, code: string, field?: string) {
  expectStatus(reply, status);
  const [error] = reply.body.errors;
  expect(error.extensions.code).toBe(code);
  if (field !== undefined) expect(error.extensions.field).toBe(field);
}

describe('the referral program', () => {
  test('is missing until it is put, replaced by the next put, and gone once deleted', async () => {
    const workspace = await newWorkspace();
    expectRefusal(await workspace.get(':ws/referral-program'), 404, 'NOT_FOUND');
    expectRefusal(await workspace.del(':ws/referral-program'), 404, 'NOT_FOUND');
    const created = await programIn(workspace, {
      pending_expiry_days: 3650,
      max_referrals_per_referrer: 5,
    });
    expect(created).toEqual({
      ...PROGRAM,
      id: uuid,
      workspace_id: workspace.workspaceId,
      distribution_id: null,
      pending_expiry_days: 3650,
      max_referrals_per_referrer: 5,
      date_created: moment,
      date_updated: moment,
    });
    const replaced = await programIn(workspace, { enabled: false });
    expect(replaced).toMatchObject({
      id: created.id,
      enabled: false,
      pending_expiry_days: null,
      max_referrals_per_referrer: null,
    });
    const read = expectStatus(await workspace.get(':ws/referral-program'), 200);
    expect(read.body).toEqual({ data: replaced });
    const deleted = expectStatus(await workspace.del(':ws/referral-program'), 200);
    expect(deleted.body).toEqual({ data: { deleted: true, cancelled_pending: 0 } });
    expectRefusal(await workspace.get(':ws/referral-program'), 404, 'NOT_FOUND');
  });

  test.each([
    ['enabled', { enabled: undefined }],
    ['enabled', { enabled: 'true' }],
    ['completion_criteria', { completion_criteria: undefined }],
    ['completion_criteria', { completion_criteria: 'purchase' }],
    ['distribution_id', { distribution_id: 'x' }],
    ['distribution_id', { distribution_id: randomUUID() }],
    ['pending_expiry_days', { pending_expiry_days: 0 }],
    ['pending_expiry_days', { pending_expiry_days: 3651 }],
    ['pending_expiry_days', { pending_expiry_days: 1.5 }],
    ['max_referrals_per_referrer', { max_referrals_per_referrer: 0 }],
    ['max_referrals_per_referrer', { max_referrals_per_referrer: '3' }],
    ['unknown', { unknown: 1 }],
  ])('is refused with a wrong %s', async (field, overrides) => {
    const workspace = await newWorkspace();
    const reply = await workspace.put(':ws/referral-program', { ...PROGRAM, ...overrides });
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', field);
  });

  test('deleted cancels what is pending and tells how many', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { referrer } = await pending(workspace);
    await pending(workspace, referrer);
    const deleted = expectStatus(await workspace.del(':ws/referral-program'), 200);
    expect(deleted.body.data).toEqual({ deleted: true, cancelled_pending: 2 });
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, cancelled: 2 });
  });
});

describe("a client's referral", () => {
  test('has a code that stays, for an enrolled client of an enabled program only', async () => {
    const workspace = await newWorkspace();
    const [inside, outside] = [await member(workspace), await newClient(workspace)];
    const nothing = { code: null, share_url: null, stats: NO_REFERRALS, program_enabled: false };
    expect(await referralOf(workspace, inside.id)).toEqual(nothing);
    await programIn(workspace);
    const minted = await referralOf(workspace, inside.id);
    expect(minted).toEqual({
      code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/),
      share_url: null,
      stats: NO_REFERRALS,
      program_enabled: true,
    });
    expect(await referralOf(workspace, inside.id)).toEqual(minted);
    expect(await referralOf(workspace, outside.id)).toEqual({ ...nothing, program_enabled: true });
  });

  test('links to the page of the distribution', async () => {
    const workspace = await newWorkspace();
    const { workspaceId } = workspace;
    const distributionId = randomUUID();
    const publicUrl = `https://shop.example/d/${distributionId}`;
    const data = { distribution_id: distributionId, public_url: publicUrl };
    const told = createEvent('passes.distribution_updated', {
      workspaceId,
      subject: distributionId,
      data,
    });
    await until(async () => (await broker.publish([told]))[0] === 'confirmed');
    await programIn(workspace, { distribution_id: distributionId });
    const { code, share_url } = await referralOf(workspace, (await member(workspace)).id);
    expect(share_url).toBe(`${publicUrl}?ref=${code}`);
  });

  test('of nobody is 404, and of a malformed id 400', async () => {
    const workspace = await newWorkspace();
    const unknown = await workspace.get(`:ws/clients/${randomUUID()}/referral`);
    expectRefusal(unknown, 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.get(':ws/clients/x/referral'), 400, 'INVALID_PAYLOAD');
  });
});

describe('referrals', () => {
  test('are listed with the names of both sides, filtered, searched and paged', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace, { pending_expiry_days: 7 });
    const { id, referrer, referee, code } = await pending(workspace);
    const other = await pending(workspace);
    const page = expectStatus(await workspace.get(':ws/referrals'), 200).body;
    expect(page.meta).toEqual({ total: 2, limit: 50, offset: 0 });
    expect(page.data[1]).toEqual({
      id,
      workspace_id: workspace.workspaceId,
      referrer_client_id: referrer.id,
      referee_client_id: referee.id,
      referral_code: code,
      status: 'pending',
      completion_criteria: 'first_transaction',
      qualifying_event_type: null,
      qualifying_event_id: null,
      completed_at: null,
      cancelled_at: null,
      expires_at: moment,
      date_created: moment,
      date_updated: moment,
      referrer_first_name: 'Ada',
      referrer_last_name: 'Lo',
      referrer_email: expect.any(String),
      referee_first_name: 'Bea',
      referee_last_name: null,
      referee_email: referee.email,
    });
    const ids = async (query: Record<string, string | number>) => {
      const { data } = expectStatus(await workspace.get(':ws/referrals', query), 200).body;
      return data.map((row: { id: string }) => row.id);
    };
    expect(await ids({ referrer_client_id: referrer.id })).toEqual([id]);
    expect(await ids({ referee_client_id: other.referee.id })).toEqual([other.id]);
    expect(await ids({ status: 'completed' })).toEqual([]);
    expect(await ids({ search: code.toLowerCase() })).toEqual([id]);
    expect(await ids({ search: referee.email.toUpperCase() })).toEqual([id]);
    expect(await ids({ search: 'ada lo' })).toEqual([other.id, id]);
    expect(await ids({ search: '.*' })).toEqual([]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([id]);
  });

  test.each([
    ['status', { status: 'open' }],
    ['limit', { limit: 101 }],
    ['limit', { limit: 0 }],
    ['offset', { offset: -1 }],
    ['referrer_client_id', { referrer_client_id: randomUUID() }],
    ['referee_client_id', { referee_client_id: 'x' }],
  ])('are not listed by a wrong %s', async (field, query) => {
    const workspace = await newWorkspace();
    const reply = await workspace.get(':ws/referrals', query as Record<string, string>);
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', field);
  });

  test('are completed by hand once, and then no longer cancelled', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { id, referrer } = await pending(workspace);
    const done = expectStatus(await workspace.post(`:ws/referrals/${id}/complete`), 200);
    const data = { id, status: 'completed', qualifying_event_type: 'manual' };
    expect(done.body).toEqual({ data });
    for (const verb of ['complete', 'cancel']) {
      expectRefusal(await workspace.post(`:ws/referrals/${id}/${verb}`), 409, 'CONFLICT');
      const unknown = await workspace.post(`:ws/referrals/${randomUUID()}/${verb}`);
      expectRefusal(unknown, 404, 'RECORD_NOT_FOUND');
    }
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, completed: 1 });
    expect((await referralOf(workspace, referrer.id)).stats.completed).toBe(1);
    const { body } = expectStatus(await workspace.get(':ws/referrals/analytics'), 200);
    expect(body.data.timeline).toHaveLength(90);
    expect(body.data.timeline.at(-1)).toEqual({
      date: new Date().toISOString().slice(0, 10),
      created: 1,
      completed: 1,
    });
    expect(body.data.top_referrers).toEqual([
      {
        client_id: referrer.id,
        first_name: 'Ada',
        last_name: 'Lo',
        email: expect.any(String),
        completed_count: 1,
        pending_count: 0,
      },
    ]);
  });

  test('are cancelled one by one and all at once', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { id, referrer } = await pending(workspace);
    const one = expectStatus(await workspace.post(`:ws/referrals/${id}/cancel`), 200);
    expect(one.body).toEqual({ data: { id, status: 'cancelled', cancelled_at: moment } });
    await pending(workspace, referrer);
    await pending(workspace, referrer);
    const rest = expectStatus(await workspace.post(':ws/referrals/cancel-pending'), 200);
    expect(rest.body).toEqual({ data: { cancelled: 2 } });
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, cancelled: 3 });
  });

  test('are completed by the first purchase that counts, with a trail for both sides', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { referrer, referee } = await pending(workspace);
    await buy(workspace, referee.id, { amount: 0 });
    const event = await buy(workspace, referee.id);
    const row = await until(async () => {
      const { body } = await workspace.get(':ws/referrals', { status: 'completed' });
      return body.data[0];
    });
    expect(row).toMatchObject({
      qualifying_event_type: 'purchase',
      qualifying_event_id: event.id,
      completed_at: moment,
    });
    for (const [role, { id }] of [
      ['referrer', referrer],
      ['referee', referee],
    ] as const) {
      const query = { event_category: 'referral', event_type: 'referral_completed' };
      const trail = await until(async () => {
        const { body } = await workspace.get(`:ws/clients/${id}/events`, query);
        return body.data.length > 0 ? body.data : null;
      });
      expect(trail).toHaveLength(1);
      expect(trail[0].metadata.role).toBe(role);
    }
  });

  test('of many who buy at once stop at the cap', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace, { max_referrals_per_referrer: 2 });
    const first = await pending(workspace);
    const rest = [];
    for (let made = 0; made < 5; made += 1) rest.push(await pending(workspace, first.referrer));
    await Promise.all([first, ...rest].map(({ referee }) => buy(workspace, referee.id)));
    await until(async () => (await stats(workspace)).completed === 2);
    const late = await newClient(workspace);
    const { outcome } = await enroll(workspace, first.code, late.id);
    expect(outcome).toBe('referrer_at_cap');
    expect(await stats(workspace)).toEqual({ ...NO_REFERRALS, pending: 4, completed: 2 });
  });

  test('lose the name of whoever is anonymized and the client that is deleted', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { referrer, referee } = await pending(workspace);
    expectStatus(await workspace.post(`:ws/clients/${referrer.id}/anonymize`), 200);
    expectStatus(await workspace.del(`:ws/clients/${referee.id}`), 200);
    const row = await until(async () => {
      const { body } = await workspace.get(':ws/referrals');
      const [only] = body.data;
      return only.referrer_email === null && only.referee_client_id === null ? only : null;
    });
    expect(row).toMatchObject({
      referrer_client_id: referrer.id,
      referrer_first_name: null,
      referee_email: null,
      status: 'pending',
    });
  });
});

describe('a stranger', () => {
  const ROUTES = [
    ['GET', ':ws/referral-program'],
    ['PUT', ':ws/referral-program'],
    ['DELETE', ':ws/referral-program'],
    ['GET', ':ws/referrals'],
    ['GET', ':ws/referrals/stats'],
    ['GET', ':ws/referrals/analytics'],
    ['POST', ':ws/referrals/cancel-pending'],
  ] as const;

  test('is kept out of everything, and sees nothing of it through a workspace of their own', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await programIn(theirs);
    const { id, referrer, code } = await pending(theirs);
    const intruder = { ...mine, workspaceId: theirs.workspaceId };
    for (const [method, path] of ROUTES) {
      const at = path.replace(':ws', `/workspace/${intruder.workspaceId}`);
      const send = { GET: mine.get, PUT: mine.put, DELETE: mine.del, POST: mine.post }[method];
      expectRefusal(await send(at, method === 'PUT' ? PROGRAM : undefined), 403, 'FORBIDDEN');
    }
    await programIn(mine);
    for (const verb of ['complete', 'cancel']) {
      const reply = await mine.post(`:ws/referrals/${id}/${verb}`);
      expectRefusal(reply, 404, 'RECORD_NOT_FOUND');
    }
    const foreign = await mine.get(`:ws/clients/${referrer.id}/referral`);
    expectRefusal(foreign, 404, 'RECORD_NOT_FOUND');
    const entered = await enroll(mine, code, (await newClient(mine)).id);
    expect(entered.outcome).toBe('invalid_code');
    expect(await stats(mine)).toEqual(NO_REFERRALS);
  });

  test('who is a plain member may do all of it', async () => {
    const workspace = await newWorkspace();
    const plain = await newMember(workspace);
    await programIn(plain);
    expectStatus(await plain.post(':ws/referrals/cancel-pending'), 200);
    expectStatus(await plain.del(':ws/referral-program'), 200);
  });
});

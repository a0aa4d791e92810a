import { randomUUID } from 'node:crypto';
import { type Broker, connectBroker, createEvent } from '@laurel/events';
import { silentLogger, until } from '@laurel/testing';
import { expectStatus, newClient, newMember, newWorkspace } from './support/factories';
import {
  closeEnrollment,
  enroll,
  expectRefusal,
  member,
  NO_REFERRALS,
  PROGRAM,
  pending,
  programIn,
  referralOf,
  stats,
} from './support/referrals';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let broker: Broker;
beforeAll(async () => {
  const url = process.env.RABBITMQ_URL ?? '';
  broker = await connectBroker({ url, logger: silentLogger, service: 'e2e' });
});
afterAll(async () => {
  closeEnrollment();
  await broker.close();
});

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
    // Confirmed is that the broker has it; who keeps the programme hears of it later.
    await until(() => programIn(workspace, { distribution_id: distributionId }));
    const { code, share_url } = await referralOf(workspace, (await member(workspace)).id);
    expect(share_url).toBe(`${publicUrl}?ref=${code}`);
  });

  test('of an unknown client is 404, and of a malformed id 400', async () => {
    const workspace = await newWorkspace();
    const unknown = await workspace.get(`:ws/clients/${randomUUID()}/referral`);
    expectRefusal(unknown, 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.get(':ws/clients/x/referral'), 400, 'INVALID_PAYLOAD');
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

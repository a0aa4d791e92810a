import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { onOneDay } from './support/days';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { buy } from './support/purchases';
import {
  closeEnrollment,
  enroll,
  expectRefusal,
  NO_REFERRALS,
  pending,
  programIn,
  referralOf,
  stats,
} from './support/referrals';

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

afterAll(closeEnrollment);

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

  test('are completed by hand once, and then no longer cancelled', () =>
    onOneDay(async (today) => {
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
        date: today,
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
    }));

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
      // Only the referrer's counts how many they have brought.
      expect(trail[0].metadata.referrer_completed_count).toBe(role === 'referrer' ? 1 : undefined);
    }
  });

  test('are what a rule pays for that names no event once they are completed, by the event that each side’s trail has', async () => {
    const workspace = await newWorkspace();
    await programIn(workspace);
    const { code } = await newWalletType(workspace);
    const rule = {
      name: 'Thanks',
      trigger_type: 'referral',
      effects: [{ type: 'earn_points', wallet_type_code: code, amount_type: 'fixed', amount: 5 }],
    };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const { id, referrer } = await pending(workspace);
    expectStatus(await workspace.post(`:ws/referrals/${id}/cancel`), 200);
    const { referee } = await pending(workspace, referrer);
    await buy(workspace, referee.id);
    const executions = await until(async () => {
      const { body } = await workspace.get(':ws/automations/executions');
      return body.data.length > 1 ? body.data : null;
    });
    const paid = executions.map((one: { client_id: string }) => one.client_id);
    expect(paid.sort()).toEqual([referrer.id, referee.id].sort());
    for (const { client_id, trigger_event_id } of executions) {
      const event = await until(async () => {
        const reply = await workspace.get(`/events/${trigger_event_id}`);
        return reply.status === 200 ? reply.body.data : null;
      });
      expect(event).toMatchObject({ client_id, event_type: 'referral_completed' });
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

  test('lose the name of a client that is anonymized and the client that is deleted', async () => {
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

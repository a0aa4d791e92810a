import { until } from '@laurel/testing';
import { type Caller, callerFor } from './support/api';
import { onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { overviewOf } from './support/overview';
import { buy } from './support/purchases';
import { openReceiver } from './support/receiver';
import { clockOf, DAY_MS, letDaysPass, newSandbox, untilReady } from './support/sandbox';

jest.setTimeout(300_000);

const HOUR_MS = 3_600_000;
const enrolled = (workspace: Caller, overrides: object = {}) =>
  newClient(workspace, { loyalty_program_enabled: true, ...overrides });

async function earn(workspace: Caller, clientId: string, body: object): Promise<void> {
  expectStatus(
    await workspace.post(':ws/loyalty/points/earn', { client_id: clientId, ...body }),
    201,
  );
}

async function balanceOf(workspace: Caller, clientId: string) {
  const { body } = expectStatus(await workspace.get(`:ws/clients/${clientId}/wallets`), 200);
  const { pending_balance: pending, active_balance: active } = body.data[0].wallet;
  return { pending, active };
}

const inDays = (clock: { now: string }, days: number): string =>
  new Date(Date.parse(clock.now) + days * DAY_MS).toISOString();

describe('a sandbox', () => {
  test('says so wherever it is read, and a workspace that is live says that it is none', async () => {
    const sandbox = await newSandbox();
    const live = await newWorkspace();
    expect(expectStatus(await sandbox.get(':ws'), 200).body.data.sandbox).toBe(true);
    expect(expectStatus(await live.get(':ws'), 200).body.data).not.toHaveProperty('sandbox');
    const refused = expectStatus(await sandbox.patch(':ws', { sandbox: false }), 400);
    expect(refused.text).toContain('sandbox');
  });

  test('begins with real time and lives for a day', async () => {
    const sandbox = await newSandbox();
    const { body } = expectStatus(await sandbox.get(':ws/clock'), 200);
    expect(body.data).toMatchObject({ status: 'ready', to: null, problem: null });
    expect(Math.abs(Date.parse(body.data.now) - Date.now())).toBeLessThan(HOUR_MS);
    expect(Date.parse(body.data.ends_at) - Date.now()).toBeGreaterThan(23 * HOUR_MS);
  });

  test('sends no webhook, and its delivery says why', async () => {
    const sandbox = await newSandbox();
    const receiver = await openReceiver();
    const { url } = receiver;
    const hook = expectStatus(
      await sandbox.post(':ws/webhooks', { url, event_types: ['client.created'] }),
      201,
    ).body.data;
    await newClient(sandbox);
    const delivery = await until(async () => {
      const { body } = await sandbox.get(`:ws/webhooks/${hook.id}/deliveries`);
      return body.data.find(({ status }: { status: string }) => status === 'failed');
    });
    expect(JSON.stringify(delivery)).toContain('a sandbox sends no webhooks');
    expect(receiver.total() + receiver.unsigned()).toBe(0);
    receiver.close();
  });
});

describe('the clock of a sandbox', () => {
  test('is refused to live workspaces, to going back and to going too far', async () => {
    const [sandbox, live] = await Promise.all([newSandbox(), newWorkspace()]);
    const to = new Date(Date.now() + DAY_MS).toISOString();
    const refused = expectStatus(await live.post(':ws/clock/advance', { to }), 409);
    expect(refused.body.errors[0].extensions.reason).toBe('not_a_sandbox');
    expect(await clockOf(live)).toMatchObject({ status: 'ready', to: null, ends_at: null });
    const clock = await clockOf(sandbox);
    for (const wrong of [inDays(clock, -1), inDays(clock, 732)]) {
      const reply = expectStatus(await sandbox.post(':ws/clock/advance', { to: wrong }), 400);
      expect(reply.body.errors[0].extensions.field).toBe('to');
    }
    expect((await clockOf(sandbox)).status).toBe('ready');
  });

  test('is moved by no other: strangers and members without the permission are refused', async () => {
    const sandbox = await newSandbox();
    const stranger = callerFor((await newUser()).token, sandbox.workspaceId);
    const body = { to: inDays(await clockOf(sandbox), 1) };
    expectStatus(await stranger.post(':ws/clock/advance', body), 403);
    expectStatus(await stranger.get(':ws/clock'), 403);
    const member = await newMember(sandbox);
    expectStatus(await member.post(':ws/clock/advance', body), 403);
    expect(await clockOf(member)).toMatchObject({ status: 'ready', to: null });
  });

  test('is moved by one advance at a time', async () => {
    const sandbox = await newSandbox();
    const body = { to: inDays(await clockOf(sandbox), 30) };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => sandbox.post(':ws/clock/advance', body)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
    await untilReady(sandbox);
  });
});

describe('while the clock of a sandbox is moved', () => {
  let sandbox: TestWorkspace;
  beforeEach(async () => {
    sandbox = await newSandbox();
  });

  test('points that are pending become active and points expire, each in its time; live workspaces stay as they are', async () => {
    const live = await newWorkspace();
    for (const workspace of [sandbox, live]) await newWalletType(workspace, { is_default: true });
    const [member, other] = await Promise.all([enrolled(sandbox), enrolled(live)]);
    const points = { amount: 100, pending_days: 14, expiry_days: 365 };
    await earn(sandbox, member.id, points);
    await earn(live, other.id, points);
    expect(await balanceOf(sandbox, member.id)).toMatchObject({ pending: 100, active: 0 });
    await letDaysPass(sandbox, 13);
    expect(await balanceOf(sandbox, member.id)).toMatchObject({ pending: 100, active: 0 });
    const clock = await letDaysPass(sandbox, 2);
    expect(await balanceOf(sandbox, member.id)).toMatchObject({ pending: 0, active: 100 });
    expect(Date.parse(clock.now)).toBeGreaterThan(Date.now() + 14 * DAY_MS);
    await letDaysPass(sandbox, 400);
    expect(await balanceOf(sandbox, member.id)).toMatchObject({ pending: 0, active: 0 });
    expect(await balanceOf(live, other.id)).toMatchObject({ pending: 100, active: 0 });
  });

  test('it goes on, and on again, after people were merged, deleted and anonymized', async () => {
    const [into, merged, deleted, forgotten] = await Promise.all(
      [1, 2, 3, 4].map(() => enrolled(sandbox)),
    );
    const merge = { source_client_id: merged!.id, target_client_id: into!.id };
    expectStatus(await sandbox.post(':ws/clients/merge', merge), 200);
    expectStatus(await sandbox.del(`:ws/clients/${deleted!.id}`), 200);
    expectStatus(await sandbox.post(`:ws/clients/${forgotten!.id}/anonymize`, {}), 200);
    for (const days of [1, 1])
      expect(await letDaysPass(sandbox, days)).toMatchObject({ status: 'ready' });
  });

  test('what the overview shows of each day agrees with the statement, and today is the day of the sandbox', () =>
    onOneDay(async (begun) => {
      sandbox = await newSandbox();
      await newWalletType(sandbox, { code: 'points', is_default: true });
      const { id } = await enrolled(sandbox);
      await earn(sandbox, id, { amount: 10 });
      const { now } = await letDaysPass(sandbox, 40);
      await earn(sandbox, id, { amount: 5 });
      const today = now.slice(0, 10);
      const { data } = await overviewOf(sandbox, `?from_date=${today}`);
      expect(data.currencies).toMatchObject([{ issued: 5, owed: 15 }]);
      const whole = await overviewOf(sandbox, `?from_date=${begun}`);
      expect(whole.data.currencies).toMatchObject([{ issued: 15, owed: 15 }]);
      const dated = { client_id: id, event_type: 'visit', event_timestamp: now };
      expectStatus(await sandbox.post(':ws/custom-events', dated), 201);
    }));

  test('a tier that the last year no longer carries is lost when its time is up', async () => {
    await newWalletType(sandbox, { is_default: true });
    const set = {
      name: 'Levels',
      conditions: [{ type: 'total_earned' }],
      downgrade_config: { lookback_days: 365 },
    };
    expectStatus(await sandbox.post(':ws/tiers/set', set), 201);
    const base = { name: 'Guest', condition_values: { total_earned: 0 } };
    const high = { name: 'Regular', condition_values: { total_earned: 50 } };
    for (const tier of [base, high]) expectStatus(await sandbox.post(':ws/tiers', tier), 201);
    const { id } = await enrolled(sandbox);
    const tier = async () =>
      expectStatus(await sandbox.get(`:ws/clients/${id}/tier`), 200).body.data.tier?.name;
    await earn(sandbox, id, { amount: 60 });
    await until(async () => (await tier()) === 'Regular', { what: 'the tier' });
    await letDaysPass(sandbox, 300);
    expect(await tier()).toBe('Regular');
    await letDaysPass(sandbox, 80);
    expect(await tier()).toBe('Guest');
  });

  test.each(['points', 'a tier'])(
    'a rule that gives %s for a tier that was lost gives once for it, however often is looked again',
    async (gift) => {
      await newWalletType(sandbox, { code: 'points', is_default: true });
      const set = {
        name: 'Levels',
        conditions: [{ type: 'total_spending' }],
        downgrade_config: { lookback_days: 90 },
      };
      expectStatus(await sandbox.post(':ws/tiers/set', set), 201);
      const newTier = async (fields: object): Promise<string> =>
        expectStatus(await sandbox.post(':ws/tiers', fields), 201).body.data.id;
      await newTier({ name: 'Guest', condition_values: { total_spending: 0 } });
      await newTier({ name: 'Gold', condition_values: { total_spending: 500 } });
      const grace = { name: 'Grace', kind: 'exclusive', condition_values: {} };
      const effect =
        gift === 'points'
          ? { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 50 }
          : { type: 'assign_tier', tier_id: await newTier(grace), duration_days: 7 };
      const rule = {
        name: 'We miss you',
        trigger_type: 'loyalty',
        trigger_config: { event_types: ['tier_demoted'] },
        effects: [effect],
      };
      expectStatus(await sandbox.post(':ws/automations', rule), 201);
      const { id } = await enrolled(sandbox);
      const tier = async () =>
        expectStatus(await sandbox.get(`:ws/clients/${id}/tier`), 200).body.data.tier?.name;
      const executions = async () =>
        expectStatus(await sandbox.get(':ws/automations/executions'), 200).body.data.length;
      await buy(sandbox, id, { amount: 600 });
      await until(async () => (await tier()) === 'Gold', { what: 'the tier' });
      await letDaysPass(sandbox, 92);
      await until(async () => (await executions()) === 1, { what: 'the gift' });
      await letDaysPass(sandbox, 20);
      expect(await tier()).toBe('Guest');
      expect(await executions()).toBe(1);
    },
  );

  test('a rule of every day runs each day, and a birthday is celebrated once a year', async () => {
    await newWalletType(sandbox, { code: 'points', is_default: true });
    const clock = await clockOf(sandbox);
    const birth = new Date(Date.parse(clock.now) + 5 * DAY_MS);
    birth.setUTCFullYear(1990);
    const born = await enrolled(sandbox, { birth_date: birth.toISOString().slice(0, 10) });
    const other = await enrolled(sandbox);
    // Half a day away: the clock that goes on beside the test reaches it neither before nor after.
    const hour = (new Date(clock.now).getUTCHours() + 12) % 24;
    await newDailyRule(sandbox, { hour, points: 1 });
    await newDailyRule(sandbox, { hour, points: 100, expression: 'isBirthday(client.birth_date)' });
    await letDaysPass(sandbox, 10);
    expect(await balanceOf(sandbox, other.id)).toMatchObject({ active: 10 });
    expect(await balanceOf(sandbox, born.id)).toMatchObject({ active: 110 });
  });
});

async function newDailyRule(
  sandbox: Caller,
  { hour, points, expression }: { hour: number; points: number; expression?: string },
): Promise<void> {
  const body = {
    name: `${points} every day`,
    trigger_type: 'time_based',
    trigger_config: { schedule: { cron: `0 ${hour} * * *`, timezone: 'UTC' } },
    conditions: expression === undefined ? [] : [{ type: 'expression', expression }],
    effects: [
      { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: points },
    ],
  };
  expectStatus(await sandbox.post(':ws/automations', body), 201);
}

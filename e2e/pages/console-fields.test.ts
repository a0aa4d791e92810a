import type { Client } from '@laurel/client';
import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerOfBeans } from '../support/console';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from '../support/factories';
import { newHolder } from '../support/mobile';

const BEAN = { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 };

describeInBrowser('the fields of the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  /** The first customer: whichever day the others come on, none has come before hers. */
  let eve: Client;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    expectStatus(await shop.patch(':ws/settings', { timezone: 'Europe/Berlin' }), 200);
    owner = await newOwnerOfBeans(browser, shop);
    eve = await newClient(shop, { first_name: 'Eve' });
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await shop.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const read = async (path: string) => expectStatus(await shop.get(path), 200).body.data;
  const save = async () => {
    await button('Save').click();
    await owner.page.getByText('Everything is saved.').waitFor();
  };

  test('take a date key by key, and what is good until a day is good on it', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Bun', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    const [from, to] = [page.getByLabel('From'), page.getByLabel('Until')];
    // Which of day and month comes first is the browser's affair.
    await from.focus();
    await page.keyboard.type('05052098');
    await to.focus();
    await page.keyboard.type('08082099');
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['2098-05-05', '2099-08-08']);
    await save();
    expect(await read(`:ws/rewards/${id}`)).toMatchObject({
      availability_start: '2098-05-04T22:00:00.000Z',
      availability_end: '2099-08-08T21:59:59.999Z',
    });
    // Saved, the field shows what the platform answers the next time it is asked.
    await until(async () => (await to.inputValue()) === '2099-08-08');
  });

  test('mean the hour of the day that is chosen, also when clocks are changed on it', async () => {
    const { page } = owner;
    await open(`/campaigns/${await made(':ws/campaigns', { name: 'Spring' })}`);
    await page.getByLabel('Day').fill('2099-03-29');
    await page.getByRole('button', { name: 'Schedule for 29 Mar 2099, 09:00' }).waitFor();
  });

  test('change the hour of a rule and leave it the zone of its own', async () => {
    const { page } = owner;
    const schedule = { cron: '0 9 * * *', timezone: 'Asia/Tokyo' };
    const rule = { name: 'Morning', trigger_type: 'time_based', trigger_config: { schedule } };
    const id = await made(':ws/automations', { ...rule, active: false, effects: [BEAN] });
    await open(`/rules/${id}`);
    await page.getByText('Asia/Tokyo').waitFor();
    await page.getByLabel('Every day at').fill('10:30');
    await save();
    expect((await read(`:ws/automations/${id}`)).trigger_config).toEqual({
      schedule: { cron: '30 10 * * *', timezone: 'Asia/Tokyo' },
    });
  });

  test('take several names with commas between them, key by key', async () => {
    const { page } = owner;
    const rule = { name: 'Moved', trigger_type: 'field_change', active: false, effects: [BEAN] };
    const trigger_config = { field_names: ['email'] };
    const id = await made(':ws/automations', { ...rule, trigger_config });
    await open(`/rules/${id}`);
    const names = page.getByLabel('Fields', { exact: true });
    await names.fill('');
    await names.pressSequentially('phone, last_name');
    await save();
    expect((await read(`:ws/automations/${id}`)).trigger_config.field_names).toEqual([
      'phone',
      'last_name',
    ]);
  });

  test('that say no number keep a rule from being switched on without its limit', async () => {
    const { page } = owner;
    const rule = { name: 'Few', trigger_type: 'transaction', active: false, effects: [BEAN] };
    const id = await made(':ws/automations', { ...rule, limits: { total_executions: 5 } });
    await open(`/rules/${id}`);
    await page.getByLabel('Times in all').fill('1o0');
    await page.locator('.sentence label', { hasText: 'Off' }).click();
    await page.locator('input:focus[data-no-number]').waitFor();
    expect(await read(`:ws/automations/${id}`)).toMatchObject({
      active: false,
      limits: { total_executions: 5 },
    });
  });

  test('take a name as it is read, so that who has two spaces in it can be forgotten, too', async () => {
    const { page } = owner;
    const ann = await newClient(shop, { first_name: 'Ann ', last_name: 'Lee ' });
    await open(`/customers/${ann.id}?tab=privacy`);
    await button('Forget the person').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel(/^Type/).fill('Ann Lee');
    await sheet.getByRole('button', { name: 'Forget the person' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await read(`:ws/clients/${ann.id}`)).toMatchObject({ status: 'anonymized' });
  });

  test('offer all that is left of a purchase, to its last decimal, however long ago it was refunded', async () => {
    const { page } = owner;
    const { pass, client } = await newHolder(shop, { person: { first_name: 'Bo' } });
    const of = { pass_id: pass.id, event_category: 'transaction', currency: 'KWD' };
    const bought = await shop.post('/events', { ...of, event_type: 'purchase', amount: 12.345 });
    const { id } = expectStatus(bought, 200).body.data;
    await open(`/customers/${client.id}?tab=visits`);
    const offer = page.getByRole('table').getByRole('button', { name: /^Refund/ });
    const sheet = page.getByRole('dialog', { name: 'Refund' });
    await offer.click();
    expect(await sheet.getByLabel('Amount').inputValue()).toBe('12.345');
    await page.keyboard.press('Escape');
    const back = { ...of, event_type: 'refund', amount: 12.345, original_external_id: id };
    expectStatus(await shop.post('/events', back), 200);
    const visit = { pass_id: pass.id, event_category: 'engagement', event_type: 'visit' };
    const events = Array.from({ length: 101 }, () => visit);
    expect((await shop.post('/events/batch', { events })).status).toBeLessThan(300);
    await until(
      async () => (await shop.get(`:ws/clients/${client.id}/events`)).body.meta.total > 101,
    );
    const sales = { event_category: 'transaction', event_type: 'purchase' };
    await page.route(/\/events\?/, async (route) => {
      const address = new URL(route.request().url());
      // The purchase itself would stand some pages on.
      if (address.searchParams.get('limit') === '25')
        for (const [name, value] of Object.entries(sales)) address.searchParams.set(name, value);
      await route.continue({ url: address.href });
    });
    await page.reload();
    await offer.click();
    await sheet.getByText('All of this purchase was refunded already.').waitFor();
    await page.unrouteAll();
  });

  test('ask before, on and since a day of the workspace, and count what they say', async () => {
    const { page } = owner;
    const zone = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' });
    const day = zone.format(new Date(eve.registration_date));
    await open('/segments/new');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByLabel('Add a question').selectOption({ label: 'Customer since' });
    await page.getByLabel('Day').fill(day);
    const counted = page.locator('aside b.big');
    const compared = (word: string) => page.getByLabel('Compared').selectOption({ label: word });
    const filters = async (id: string) => (await read(`/segments/${id}`)).filters;
    await compared('before');
    await counted.filter({ hasText: /^0 customers$/ }).waitFor();
    await page.getByLabel('Name').fill('Earlier');
    await save();
    await page.waitForURL(/segments\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1)!;
    const [{ filter_config: before }] = await filters(id);
    expect(before).toMatchObject({ field: 'registration_date', operator: '_lt' });
    expect(zone.format(new Date(before.value))).toBe(day);
    expect(zone.format(new Date(Date.parse(before.value) - 1))).not.toBe(day);
    await compared('on or before');
    expect(await page.getByLabel('Day').inputValue()).toBe(day);
    await counted.filter({ hasText: /^[1-9]\d* customers?$/ }).waitFor();
    await save();
    const [{ filter_config: until }] = await filters(id);
    expect(Date.parse(until.value) + 1 - Date.parse(before.value)).toBeGreaterThan(80_000_000);
    await compared('since');
    await counted.filter({ hasText: /^[1-9]\d* customers?$/ }).waitFor();
  });

  test('show and change all that a rule of a programme holds, and name what they have no field for', async () => {
    const { page } = owner;
    await made(':ws/wallet-types', { code: 'stamps', name: 'Stamps' });
    const metric = { type: 'client_metric', metric: 'points_earned', operator: 'gte', value: 10 };
    await made(':ws/tiers/set', { name: 'Tiers' });
    const tier_id = await made(':ws/tiers', {
      name: 'Gold',
      kind: 'exclusive',
      condition_values: {},
    });
    const rule = {
      name: 'Few beans',
      trigger_type: 'transaction',
      active: false,
      conditions: [{ ...metric, wallet_type_code: 'stamps' }],
      effects: [BEAN, { type: 'assign_tier', tier_id, duration_days: 30 }],
      limits: { per_client_budget: 500 },
      expiry_override: { expiry_days: 90 },
    };
    const id = await made(':ws/automations', rule);
    await open(`/rules/${id}`);
    await page
      .locator('.sentence')
      .getByText(
        'if points earned (Stamps) are at least 10, then 1 Beans and the tier Gold for 30 days',
      )
      .waitFor();
    await page.getByText(/stays as it is: expiry_override: \{"expiry_days":90/).waitFor();
    const budget = page.getByLabel('Points per customer, in all');
    expect(await budget.inputValue()).toBe('500');
    await budget.fill('600');
    await page.getByLabel('For how many days').fill('7');
    const currency = page.getByLabel('Currency').first();
    await currency.selectOption({ label: 'all together' });
    await page.getByText('if points earned (all together) are at least 10').waitFor();
    await save();
    const { limits, conditions, effects, expiry_override } = await read(`:ws/automations/${id}`);
    expect(limits).toEqual({ per_client_budget: 600 });
    expect(conditions).toEqual([metric]);
    expect(effects[1]).toMatchObject({ tier_id, duration_days: 7 });
    expect(expiry_override).toMatchObject({ expiry_days: 90 });
  });

  test('show what counts for tiers, change it, and say who would move before', async () => {
    const { page } = owner;
    await made(':ws/wallet-types', { code: 'stars', name: 'Stars' });
    const set = await read(':ws/tiers/set');
    const counted = { conditions: [{ type: 'total_earned', wallet_type_code: 'stars' }] };
    const ladder = { ...counted, downgrade_config: { lookback_days: 30 } };
    if (set) expectStatus(await shop.patch(':ws/tiers/set', ladder), 200);
    else await made(':ws/tiers/set', { name: 'Tiers', ...ladder });
    await made(':ws/tiers', { name: 'Keen', condition_values: { total_earned: 10 } });
    await open('/tiers');
    await page.getByText('10 Stars earned').waitFor();
    await page.getByText('Points earned: Stars').waitFor();
    await page.getByText('A tier is kept by those who reach it again within 30 days.').waitFor();
    await button('Edit: What counts').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Points earned: Stars').uncheck();
    await sheet.getByText('Nothing is counted').waitFor();
    await sheet.getByLabel('Points earned: Beans').check();
    await sheet.getByLabel('Purchases').check();
    await sheet.getByLabel('Days that count for staying in a tier').fill('');
    await sheet.getByRole('button', { name: 'Who would move?' }).click();
    await sheet.locator('.notice').waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A tier that was reached is kept').waitFor();
    expect(await read(':ws/tiers/set')).toMatchObject({
      conditions: [
        { type: 'total_earned', wallet_type_code: 'beans' },
        { type: 'transaction_count' },
      ],
      downgrade_config: { lookback_days: 0 },
    });
    await button('Edit: Keen').click();
    await sheet.getByLabel('Points earned: Beans').waitFor();
  });

  test('say that a reward is for a segment alone, and let another be chosen', async () => {
    const { page } = owner;
    const [regulars, keen] = await Promise.all([
      made(':ws/segments', { name: 'Regulars', filters: [] }),
      made(':ws/segments', { name: 'Keen ones', filters: [] }),
    ]);
    const visibility = { visibility_segments: [regulars] };
    const id = await made(':ws/rewards', { name: 'Cake', cost_in_points: 5, ...visibility });
    await open('/rewards');
    await page.getByText('Only for segments: Regulars').waitFor();
    await open(`/rewards/${id}`);
    await page.getByText('Only for segments: Regulars').waitFor();
    await page.getByLabel('Keen ones').check();
    await page.getByLabel('Regulars').uncheck();
    await page.getByText('Only for segments: Keen ones').waitFor();
    await save();
    expect(await read(`:ws/rewards/${id}`)).toMatchObject({ visibility_segments: [keen] });
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
  });
});

import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { actionIn, campaignIn, rewardIn, settled } from '../support/campaigns';
import { complaintsOfMore, newOwnerAtDesk, newOwnerOfBeans } from '../support/console';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';
import { newPass } from '../support/passes';

/** What is looked for is found, what is shown is of now, and what is final is asked about first. */
describeInBrowser('somebody who looks around in the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
    for (const last_name of ['Abel', 'Zorn'])
      await newClient(shop, { first_name: 'Zora', last_name });
  });
  afterEach(async () => {
    await owner.page.unrouteAll();
    expect(complaintsOfMore(owner)).toEqual([]);
  });
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const find = async (text: string) => {
    await owner.page.keyboard.press('Control+k');
    const field = owner.page.getByPlaceholder(/Name, e-mail/);
    await field.fill(text);
    return field;
  };

  test('goes through what the finder finds by arrows, and opens what is marked', async () => {
    const { page } = owner;
    await open('/rewards');
    await page.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    await find('Zora');
    const found = page.locator('.found-one').filter({ hasText: 'Zora' });
    await found.nth(1).waitFor();
    const [first, second] = await found.locator('span').allTextContents();
    const marked = page.locator('.found-at');
    expect(await marked.locator('span').textContent()).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await marked.locator('span').textContent()).toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await marked.locator('span').textContent()).toBe(second);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: second!, level: 1 }).waitFor();
  });

  test('reads in the finder that nothing goes by a name, and is led nowhere', async () => {
    const { page } = owner;
    await open('/rewards');
    await page.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    const field = await find('Zora');
    await page.getByRole('button', { name: /^Zora Abel/ }).waitFor();
    await field.fill('Qqqqq');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing goes by that name.').waitFor();
    await page.locator('.found-one').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/console/rewards');
    await page.keyboard.press('Escape');
  });

  test('sees all columns of the customers, and all changes on a phone, beside names that are very long', async () => {
    const { page } = owner;
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenstelle';
    const email = `${'maximilian.'.repeat(4)}hohenstaufen@${'donaudampf'.repeat(4)}.example`;
    await newClient(shop, { first_name: 'Bartholomäus-Maximilian', last_name: long, email });
    const fits = async () => {
      await page.getByText(long).first().waitFor();
      const room = page.locator('.table-room');
      await until(
        async () =>
          (await room.getAttribute('aria-busy')) === 'false' &&
          page.evaluate<boolean>(
            "[...document.querySelectorAll('.table-room')].every((one) => one.scrollWidth <= one.clientWidth)",
          ),
      );
    };
    await open('/customers');
    await fits();
    await page.setViewportSize({ width: 390, height: 844 });
    await fits();
    await open('/settings?tab=audit');
    await fits();
    await page.setViewportSize(DESK);
  });

  test('keeps the finder, with the reason, where what it found cannot be opened', async () => {
    const { page } = owner;
    const { id: client_id } = await newClient(shop, { first_name: 'Ida' });
    const earned = await shop.post(':ws/loyalty/points/earn', { client_id, amount: 3 });
    const { id } = expectStatus(earned, 201).body.data;
    await open('/rewards');
    await page.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    let isAway = true;
    await page.route(/\/points\/ledger\//, (route) => (isAway ? route.abort() : route.fallback()));
    await find(id);
    const entry = page.locator('.found-one').first();
    await entry.waitFor();
    await entry.click();
    const finder = page.getByRole('dialog');
    await finder.getByText('No connection. Check your network').waitFor();
    isAway = false;
    await entry.click();
    await page.getByRole('heading', { name: 'Ida', level: 1 }).waitFor();
    await finder.waitFor({ state: 'hidden' });
  });

  test('sees everybody again by one click where a search finds no customer', async () => {
    const { page } = owner;
    await open('/customers');
    const search = page.getByLabel('Name, e-mail or phone');
    await search.fill('Qqqqq');
    await page.getByText('Nobody matches.').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('Qqqqq');
    await button('Show everybody').click();
    await page.getByRole('link', { name: 'Zora Abel' }).waitFor();
    expect([await search.inputValue(), new URL(page.url()).search]).toEqual(['', '']);
  });

  test('sees a chart of the days that were chosen and of no others, though a year names one month twice', async () => {
    const { page } = owner;
    await open('/?days=365');
    const chart = page.getByRole('figure', { name: 'Customers', exact: true });
    const bars = chart.locator('svg rect');
    await bars.first().waitFor({ state: 'attached' });
    await chart.getByText('Figures').click();
    const months = await bars.count();
    expect(months).toBeGreaterThanOrEqual(12);
    const shows = async (days: number, count: number) => {
      await page.getByLabel('Period').selectOption(String(days));
      const rows = chart.getByRole('rowheader');
      await until(async () => (await rows.count()) === count, { what: `${count} rows` });
      expect(await bars.count()).toBe(count);
    };
    await shows(7, 7);
    await shows(365, months);
    await shows(30, 30);
  });

  test('is asked before a redemption is cancelled, and a no cancels nothing', async () => {
    const { page } = owner;
    const { id: client_id } = await newClient(shop, { first_name: 'Bo' });
    const tart = { name: 'A tart', cost_in_points: 0 };
    const { id: reward_id } = expectStatus(await shop.post(':ws/rewards', tart), 200).body.data;
    const redeemed = await shop.post(':ws/rewards/redeem', { reward_id, client_id });
    const { id } = expectStatus(redeemed, 200).body.data.redemption;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(`${id}/cancel`)) sent.push(request.method());
    });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await open('/rewards?tab=redemptions');
    const cancel = page.getByRole('button', { name: /^Cancel.*A tart$/ });
    await cancel.click();
    expect(asked).toEqual([expect.stringContaining('A tart')]);
    await cancel.click();
    await page.getByRole('cell', { name: 'cancelled' }).waitFor();
    expect([asked.length, sent]).toEqual([2, ['POST']]);
    const { data } = expectStatus(await shop.get(`:ws/rewards/redemptions/${id}`), 200).body;
    expect(data).toMatchObject({ status: 'cancelled' });
    page.removeAllListeners('dialog');
  });

  test('finds the fields of the workspace at rest while they are saved, and then as they are by now', async () => {
    const { page } = owner;
    await open('/settings');
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/settings$/, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.fallback();
    });
    const name = page.getByRole('textbox', { name: 'Name of the shop' });
    await name.fill('Bean & Tea');
    await button('Save').click();
    await until(() => name.isDisabled(), { what: 'the field at rest' });
    expect(await page.getByLabel('Time zone').isDisabled()).toBe(true);
    const shownAnew = page.waitForEvent('load');
    letGo();
    await shownAnew;
    await until(async () => (await name.inputValue()) === 'Bean & Tea', { what: 'the new name' });
    expect(await name.isEnabled()).toBe(true);
    expect(expectStatus(await shop.get(':ws'), 200).body.data.name).toBe('Bean & Tea');
  });

  test('without the right to change the workspace reads so, and finds no button that is always refused', async () => {
    const { user } = await newMember(shop);
    const member = await newOwnerAtDesk(browser, { owner: user });
    await member.page.goto('/console/settings');
    await member.page.getByText('Only admins may do this.').first().waitFor();
    const name = member.page.getByRole('textbox', { name: 'Name of the shop' });
    expect([await name.isDisabled(), await name.inputValue()]).toEqual([
      true,
      (await shop.get(':ws')).body.data.name,
    ]);
    const save = member.page.getByRole('button', { name: 'Save', exact: true });
    await save.waitFor({ state: 'hidden' });
    expect(member.complaints).toEqual([]);
    await member.context.close();
  });

  test('reads the names of those whom a campaign failed', async () => {
    const { page } = owner;
    const ids = await Promise.all(
      ['Uma', 'Ugo'].map(async (first_name) => (await newClient(shop, { first_name })).id),
    );
    const { id } = await campaignIn(shop, { manual_client_ids: ids });
    const reward_ids = [await rewardIn(shop, { usage_limit: 1 })];
    await actionIn(shop, id, 'give_reward', { reward_ids });
    expectStatus(await shop.post(`/campaigns/${id}/execute-all`), 200);
    await settled(shop, id);
    await open(`/campaigns/${id}`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(Uma|Ugo)$/ })
      .waitFor();
  });

  test('reads in which currency a reward was paid where there are several', async () => {
    const { page } = owner;
    const { id: wallet_type_id } = await newWalletType(shop, {
      code: 'stars',
      name: 'Stars',
      unit_plural_name: 'stars',
    });
    const reward_id = await rewardIn(shop, { name: 'Tart', cost_in_points: 7, wallet_type_id });
    const { id: client_id } = await newClient(shop, { first_name: 'Vera' });
    const client = { client_id, wallet_type_code: 'stars' };
    expectStatus(await shop.post(':ws/loyalty/points/earn', { ...client, amount: 7 }), 201);
    expectStatus(await shop.post(':ws/rewards/redeem', { reward_id, client_id }), 200);
    await until(
      async () =>
        (await shop.get(`:ws/events?client_id=${client_id}`)).body.data.some(
          ({ event_type }: { event_type: string }) => event_type === 'reward_redeemed',
        ),
      { what: 'the redemption in the trail' },
    );
    await open('/');
    await page.getByText('Reward redeemed · 7 stars').waitFor();

    // Also where a hundred are newer, and a shop system calls its rewards as it likes.
    const pass_id = await newPass(shop, client_id);
    const elsewhere = randomUUID();
    for (const told of [
      { event_category: 'loyalty', event_type: 'reward_redeemed', amount: 3 },
      { event_category: 'transaction', event_type: 'purchase', amount: 4, currency: 'EUR' },
    ]) {
      const metadata = { reward_id: told.currency ? elsewhere : 'FREE-COFFEE' };
      expectStatus(await shop.post('/events', { ...told, pass_id, metadata }), 200);
    }
    await page.route(/\/rewards\?limit=100$/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const newer = Array.from({ length: 100 }, () => ({ ...body.data[0], id: randomUUID() }));
      await route.fulfill({ response, json: { ...body, data: newer } });
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await open('/');
    await page.getByText('Reward redeemed · 3 ·').waitFor();
    await page.getByText('Reward redeemed · 7 stars').waitFor();
    expect(asked.some((url) => url.endsWith(`/rewards/${reward_id}`))).toBe(true);
    // A purchase is in its own money.
    expect(asked.filter((url) => url.includes(elsewhere))).toEqual([]);
  });

  test('leaves the pages on a phone by Escape, and is back at what opened them', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/');
    const burger = button('Pages');
    await burger.click();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    await pages.waitFor({ state: 'hidden' });
    const opener = "document.activeElement.getAttribute('aria-controls')";
    await until(async () => (await page.evaluate(opener)) === 'pages');
    await page.setViewportSize(DESK);
  });
});

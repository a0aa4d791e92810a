import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { campaignIn, rewardIn } from '../support/campaigns';
import { newOwnerOfBeans } from '../support/console';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from '../support/factories';

/** So many at once, that a test of hundreds is no attack. */
const AT_ONCE = 10;
const BEAN = { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 };
const UNSEEN = 'Customers do not see it: only staff, rules and campaigns give it.';
const OFF = { trigger_type: 'transaction', active: false };

/** However much a shop has: nothing ends without a word, and no field says what is not stored. */
describeInBrowser('lists and choices of the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  const asked: string[] = [];
  let isAgreed = true;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
    owner.page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (isAgreed ? dialog.accept() : dialog.dismiss());
    });
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const read = async (path: string) => expectStatus(await shop.get(path), 200).body.data;
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await shop.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const many = async <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> => {
    const all: T[] = [];
    for (let from = 0; from < count; from += AT_ONCE)
      all.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => make(from + at)),
        )),
      );
    return all;
  };
  const field = (label: string) => owner.page.getByLabel(label, { exact: true });
  const name = () => owner.page.getByRole('textbox', { name: 'Name', exact: true });
  /** What a reader sees in a select. */
  const shown = (label: string) => field(label).locator('option:checked').textContent();
  const forSale = () =>
    owner.page.getByRole('switch', { name: 'Customers may redeem it themselves' });
  const save = async () => {
    await button('Save').click();
    await owner.page.getByText('Everything is saved.').waitFor();
  };

  describe('of more rewards than come at once', () => {
    const COUNT = 205;
    let first: string;
    beforeAll(async () => {
      first = await rewardIn(shop, { name: 'The very first' });
      await many(COUNT - 1, (at) => rewardIn(shop, { name: `Later ${at}` }));
    });

    test('a rule shows the one that it gives, and keeps it when something else is saved', async () => {
      const effects = [{ type: 'give_reward', reward_id: first }];
      const id = await made(':ws/automations', { ...OFF, name: 'Gift', effects });
      await open(`/rules/${id}`);
      await field('Reward').waitFor();
      expect(await shown('Reward')).toBe('The very first');
      await name().fill('A gift');
      await save();
      expect(await read(`:ws/automations/${id}`)).toMatchObject({ name: 'A gift', effects });
    });

    test('the page of rewards leads on to the last', async () => {
      const { page } = owner;
      await open('/rewards');
      await page.getByText(`48 of ${COUNT}`).waitFor();
      await owner.expectAccessible();
      await page.setViewportSize(DESK);
      for (let pages = 1; pages < Math.ceil(COUNT / 48); pages += 1) {
        await page.locator('.pager').waitFor();
        const before = await page.locator('article h2').first().textContent();
        await button('Next').click();
        await until(
          async () => (await page.locator('article h2').first().textContent()) !== before,
        );
      }
      await page.getByRole('link', { name: 'The very first' }).waitFor();
      expect(await button('Next').isDisabled()).toBe(true);
    });

    test('a customer is offered each of them', async () => {
      const { id } = await newClient(shop, { first_name: 'Ann' });
      await open(`/customers/${id}`);
      await button('Give').click();
      await owner.page
        .getByRole('dialog')
        .getByRole('button', { name: /The very first$/ })
        .waitFor();
    });
  });

  test('more campaigns than a page shows are led on to, and a new one is called as none of them is', async () => {
    const { page } = owner;
    await campaignIn(shop, { name: 'The oldest' });
    await many(50, (at) => campaignIn(shop, { name: `Campaign ${at}` }));
    await open('/campaigns');
    await page.getByText('50 of 51').waitFor();
    await button('New campaign').click();
    await name().fill('the OLDEST');
    await page.getByText('This name is taken.').waitFor();
    await page.keyboard.press('Escape');
    await button('Next').click();
    await page.getByRole('link', { name: 'The oldest' }).waitFor();
    expect(await button('Next').isDisabled()).toBe(true);
  });

  test('a search that finds more customers than it shows says so', async () => {
    await many(8, (at) => newClient(shop, { first_name: 'Zoe', last_name: `Number ${at}` }));
    await open('/rules/new?example=purchase');
    const { page } = owner;
    await field('Customer').fill('Zoe');
    await page.getByText('There are more. Type more of it.').waitFor();
    await field('Customer').fill('Zoe Number 3');
    await page.getByText('There are more. Type more of it.').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Zoe Number 3/ }).click();
  });

  test('the form of friends that is paused stays the one that their links lead to', async () => {
    const project_id = await made(':ws/projects', { name: 'Shop' });
    const pass_template_id = await made(':ws/pass-templates', { name: 'Card', project_id });
    const form = { project_id, pass_template_id, delivery_mode: 'page' };
    const distribution_id = await made(':ws/distributions', { ...form, name: 'Counter' });
    await made(':ws/distributions', { ...form, name: 'Window' });
    const program = { enabled: false, completion_criteria: 'first_transaction', distribution_id };
    expectStatus(await shop.put(':ws/referral-program', program), 200);
    await shop.laurel.distributions.update(distribution_id, { status: 'paused' });
    await open('/rules?tab=friends');
    const { page } = owner;
    const days = page.getByLabel('Days until an invitation runs out');
    await until(async () => (await shown('Form that friends fill in')) === 'Counter (paused)');
    await days.fill('30');
    await save();
    expect(await read(':ws/referral-program')).toMatchObject({
      distribution_id,
      pending_expiry_days: 30,
    });

    // None is what was chosen, too.
    const none = { ...program, distribution_id: null };
    expectStatus(await shop.put(':ws/referral-program', none), 200);
    await open('/rules?tab=friends');
    await days.waitFor();
    expect(await shown('Form that friends fill in')).toBe('–');
    await days.fill('20');
    await save();
    expect(await read(':ws/referral-program')).toMatchObject({ distribution_id: null });
  });

  test('no form of friends is chosen before anything was saved, too', async () => {
    await shop.del(':ws/referral-program');
    const project_id = await made(':ws/projects', { name: 'Market' });
    const pass_template_id = await made(':ws/pass-templates', { name: 'Stall', project_id });
    const form = { project_id, pass_template_id, delivery_mode: 'page', name: 'Stall' };
    await made(':ws/distributions', form);
    await open('/rules?tab=friends');
    const label = 'Form that friends fill in';
    await field(label).waitFor();
    // What is proposed is a form, as there is no link to send without one.
    await until(async () => !['–', '…'].includes((await shown(label)) ?? '–'));
    await field(label).selectOption({ label: '–' });
    expect(await shown(label)).toBe('–');
    await save();
    expect(await read(':ws/referral-program')).toMatchObject({ distribution_id: null });
  });

  test('a campaign for chosen customers goes to another audience once its owner agrees, and else stays as it is', async () => {
    for (const { id, filters } of await shop.laurel.segments.list())
      if (filters.length === 0) await shop.laurel.segments.delete(id);
    const people = await many(2, async (at) => (await newClient(shop, { first_name: `${at}` })).id);
    const toPeople = async () => (await campaignIn(shop, { manual_client_ids: people })).id;
    const audience = async (id: string) => {
      const { segment_id, manual_client_ids } = await read(`/campaigns/${id}`);
      return { segment_id, people: manual_client_ids.length };
    };
    const names = async () => (await shop.laurel.segments.list()).map(({ name }) => name);
    const isShown = (label: string) => until(async () => (await shown('Segment')) === label);
    const question = 'The list of 2 chosen customers goes from this campaign. Go on?';

    const first = await toPeople();
    await open(`/campaigns/${first}`);
    await isShown('2 chosen customers');
    isAgreed = false;
    await field('Segment').selectOption({ label: 'Everybody' });
    isAgreed = true;
    expect(asked.at(-1)).toBe(question);
    await isShown('2 chosen customers');
    expect(await audience(first)).toEqual({ segment_id: null, people: 2 });
    expect(await names()).not.toContain('Everybody');

    await field('Segment').selectOption({ label: 'Everybody' });
    await until(async () => (await audience(first)).people === 0);
    await isShown('Everybody');
    const { segment_id } = await audience(first);
    expect(await names()).toContain('Everybody');

    const second = await toPeople();
    await open(`/campaigns/${second}`);
    await isShown('2 chosen customers');
    await field('Segment').selectOption({ label: 'Everybody' });
    await until(async () => (await audience(second)).people === 0);
    expect(await audience(second)).toEqual({ segment_id, people: 0 });

    // Where no list goes there is nothing to ask.
    const questions = asked.length;
    const { id: third } = await campaignIn(shop);
    await open(`/campaigns/${third}`);
    await field('Segment').selectOption({ label: 'Everybody' });
    await until(async () => (await audience(third)).segment_id === segment_id);
    expect(asked).toHaveLength(questions);
  });

  test('a rule that is off is named before its reward goes, and shows afterwards that it is gone', async () => {
    const { page } = owner;
    const reward_id = await rewardIn(shop, { name: 'Scone' });
    const other_id = await rewardIn(shop, { name: 'Shortbread' });
    const effects = [BEAN, { type: 'give_reward', reward_id }];
    const id = await made(':ws/automations', { ...OFF, name: 'Tea time', effects });
    await open(`/rewards/${reward_id}`);
    await page.getByText('A rule that is off names it').waitFor();
    await button('Delete').click();
    await page.waitForURL(/rewards$/);
    expect(asked.at(-1)).toMatch(/^Delete Scone .*A rule that is off names it.*: Tea time\.$/);
    await open(`/rules/${id}`);
    await field('Reward').waitFor();
    expect(await shown('Reward')).toBe(`Not there any more (${reward_id.slice(0, 8)})`);
    await field('Amount').fill('2');
    await button('Save').click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await read(`:ws/automations/${id}`)).toMatchObject({ effects });
    await field('Reward').selectOption({ label: 'Shortbread' });
    await save();
    expect((await read(`:ws/automations/${id}`)).effects[1].reward_id).toBe(other_id);
  });

  test('a question about a segment that is gone stays what it is', async () => {
    const { page } = owner;
    const near = await made(':ws/segments', { name: 'Near', filters: [] });
    await made(':ws/segments', { name: 'Far', filters: [] });
    const conditions = [{ type: 'segment', segment_id: near }];
    const rule = { ...OFF, name: 'Near', conditions, effects: [BEAN] };
    const id = await made(':ws/automations', rule);
    expectStatus(await shop.del(`/segments/${near}`), 200);
    await open(`/rules/${id}`);
    await field('Segment').waitFor();
    expect(await field('Segment').inputValue()).toBe(near);
    expect(await shown('Segment')).toContain('Not there any more');
    await open(`/customers?segment=${near}`);
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await until(async () => (await shown('Segment'))?.startsWith('Not there any more') === true);
  });

  test('a reward that no currency pays for is not shown as paid in one of them, nor as one that customers see', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Hug', cost_in_points: 100 });
    // With one currency, too: how else would it get it?
    await open(`/rewards/${id}`);
    await field('Paid in').waitFor();
    expect(await shown('Paid in')).toBe('None');
    const stars = { code: 'stars', name: 'Stars' };
    expectStatus(await shop.post(':ws/wallet-types', stars), 201);
    await open(`/rewards/${id}`);
    await field('Paid in').waitFor();
    expect(await shown('Paid in')).toBe('None');
    const preview = page.getByRole('complementary', { name: 'As customers see it' });
    await preview.getByText(UNSEEN).waitFor();
    expect(await preview.getByText('free', { exact: true }).count()).toBe(0);
    await page.getByRole('status').getByText('Without a currency').waitFor();
    expect(await forSale().isChecked()).toBe(false);
    expect(await forSale().isDisabled()).toBe(true);
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await name().fill('A hug');
    await save();
    expect(await read(`:ws/rewards/${id}`)).toMatchObject({ name: 'A hug', wallet_type_id: null });
    await open('/rewards');
    const tile = page.getByRole('article').filter({ hasText: 'A hug' });
    await tile.getByText(UNSEEN).waitFor();
    expect(await tile.getByText('free', { exact: true }).count()).toBe(0);
    // It is theirs who have nothing, too.
    const { id: clientId } = await newClient(shop, { first_name: 'Bea' });
    await open(`/customers/${clientId}`);
    await button('Redeem').click();
    const offer = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'A hug' });
    await offer.getByText('free').waitFor();
    expect(await offer.getByRole('button').isEnabled()).toBe(true);
    await page.keyboard.press('Escape');

    await open(`/rewards/${id}`);
    await field('Paid in').selectOption({ label: 'Stars' });
    await preview.getByText('100 Stars', { exact: true }).waitFor();
    await page.getByText('Without a currency').waitFor({ state: 'detached' });
    expect(await preview.getByText(UNSEEN).count()).toBe(0);
    // What is saved is what the form shows.
    expect(await forSale().isChecked()).toBe(true);
    await save();
    expect(await read(`:ws/rewards/${id}`)).toMatchObject({ purchasable: true });
    await forSale().click();
    await preview.getByText(UNSEEN).waitFor();
    await preview.getByText('100 Stars', { exact: true }).waitFor();
  });
});

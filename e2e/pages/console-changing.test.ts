import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk, newOwnerOfBeans } from '../support/console';
import {
  expectStatus,
  newClient,
  newWorkspace,
  PASSWORD,
  type TestWorkspace,
} from '../support/factories';

/** What is set up once is put right later where it stands, without a program and without making it anew. */
describeInBrowser('what is there already, in the console,', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  const asked: string[] = [];
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
    owner.page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const sheet = () => owner.page.getByRole('dialog');
  const read = async (path: string) => expectStatus(await shop.get(path), 200).body.data;
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await shop.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const accessible = async () => {
    await owner.expectAccessible();
    await owner.page.setViewportSize(DESK);
  };

  test('a webhook moves to another address and hears of other events, and keeps its secret', async () => {
    const event_types = ['loyalty.*', 'client.created'];
    const id = await made(':ws/webhooks', { url: 'https://a.example/', event_types });
    await open(`/connections/webhooks/${id}`);
    await button('Edit').click();
    await sheet().getByRole('textbox', { name: 'Address' }).fill('https://b.example/in');
    expect(await sheet().getByLabel('loyalty.*').isChecked()).toBe(true);
    await sheet().getByLabel('client.created', { exact: true }).uncheck();
    await accessible();
    await sheet().getByRole('button', { name: 'Save' }).click();
    await owner.page.getByRole('heading', { name: 'b.example', level: 1 }).waitFor();
    expect(await read(`:ws/webhooks/${id}`)).toMatchObject({
      url: 'https://b.example/in',
      event_types: ['loyalty.*'],
    });
    await button('Edit').click();
    await sheet().getByLabel('All of them, also those to come').check();
    await sheet().getByRole('button', { name: 'Save' }).click();
    await sheet().waitFor({ state: 'detached' });
    expect(await read(`:ws/webhooks/${id}`)).toMatchObject({ event_types: ['*'] });
  });

  test('a button of the till is called otherwise, and goes', async () => {
    await made(':ws/mobile-app-config', {});
    await open('/till');
    const { page } = owner;
    const first = page.getByRole('button', { name: /^Edit.*points/i }).first();
    await first.click();
    await sheet().getByLabel('Name').fill('Stempel');
    await accessible();
    await sheet().getByRole('button', { name: 'Save' }).click();
    await sheet().waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'Stempel' }).waitFor();
    const names = async () =>
      (await read(':ws/mobile-app-config')).actions.map(({ name }: { name: string }) => name);
    expect(await names()).toContain('Stempel');
    await page.getByRole('button', { name: /^Edit.*Stempel/ }).click();
    await sheet().getByRole('button', { name: 'Delete' }).click();
    await sheet().waitFor({ state: 'detached' });
    expect(asked.at(-1)).toMatch(/^Delete the button “Stempel”\?/);
    expect(await names()).not.toContain('Stempel');
  });

  test('a field gets another label and other choices, and a customer keeps one that is offered no more', async () => {
    const field = { field_name: 'size', field_label: 'Size', field_type: 'select' };
    await made(':ws/data-model', { ...field, options: ['small', 'large'] });
    const ann = await newClient(shop, { first_name: 'Ann', custom_fields: { size: 'small' } });
    await open('/settings?tab=fields');
    const { page } = owner;
    await page.getByRole('button', { name: /^Edit.*Size/ }).click();
    await sheet().getByLabel('Name').fill('Cup');
    await sheet().getByLabel('Choices, one on each line').fill('large\nhuge');
    await accessible();
    await sheet().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Cup' }).first().waitFor();
    const [own] = (await read(':ws/data-model')).filter(
      ({ is_system }: { is_system: boolean }) => !is_system,
    );
    expect(own).toMatchObject({
      field_label: 'Cup',
      options: ['large', 'huge'],
      field_name: 'size',
    });
    await open(`/customers/${ann.id}?tab=data`);
    expect(await page.getByLabel('Cup').inputValue()).toBe('small');
  });

  test('a customer who is added takes part in the programme and has a tier, and may leave it', async () => {
    await made(':ws/tiers/set', { name: 'Tiers' });
    await made(':ws/tiers', { name: 'Cup', condition_values: {} });
    await open('/customers');
    const { page } = owner;
    await button('Add customer').click();
    await sheet().getByLabel('First name').fill('Cleo');
    await sheet().getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Cleo', level: 1 }).waitFor();
    const id = page.url().split('/').at(-1);
    await until(async () => (await read(`:ws/clients/${id}/tier`)).tier?.name === 'Cup');
    await open(`/customers/${id}?tab=data`);
    await page.getByLabel('Takes part in the programme').uncheck();
    await button('Save').click();
    await page.getByText('not in the programme: no tier').waitFor();
    expect(await read(`:ws/clients/${id}`)).toMatchObject({ loyalty_program_enabled: false });
    await accessible();
  });

  test('customers out of a file take part in the programme, unless that is not wanted', async () => {
    const bring = async (email: string, isIn: boolean) => {
      await open('/customers');
      await button('Import').click();
      const file = {
        name: 'old.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`email\n${email}\n`),
      };
      await sheet().getByLabel('CSV or NDJSON file').setInputFiles(file);
      await sheet()
        .getByText(/^The whole file was looked at/)
        .waitFor();
      await sheet().getByLabel('New customers take part in the programme').setChecked(isIn);
      await accessible();
      await sheet().getByRole('button', { name: 'Import' }).click();
      await sheet().getByText('Done: 1 new').waitFor();
      const [client] = await read(`:ws/clients?search=${encodeURIComponent(email)}`);
      return client;
    };
    for (const isIn of [true, false])
      expect(await bring(`${isIn}@example.com`, isIn)).toMatchObject({
        loyalty_program_enabled: isIn,
      });
  });

  test('the colour of the customers’ page goes back to the one of the brand', async () => {
    const brand = { colours: { primary: '#112233', background: null } };
    expectStatus(await shop.put(':ws/brand', brand), 200);
    expectStatus(await shop.put(':ws/portal-config', { primary_color: '#445566' }), 200);
    await open('/settings?tab=portal');
    const colour = owner.page.getByLabel('Colour', { exact: true });
    expect(await colour.inputValue()).toBe('#445566');
    await button('Take the brand’s').click();
    // The page asks for the brand by itself: its colour is shown once that is answered.
    await until(async () => (await colour.inputValue()) === '#112233');
    await button('Save').click();
    await owner.page.getByText('Everything is saved.').waitFor();
    await owner.page.getByText('that of the brand').waitFor();
    expect((await read(':ws/portal-config')).primary_color).toBe('#112233');
  });

  test('a message that is typed for a campaign and not added is neither left nor sent without a question', async () => {
    const segment_id = await made(':ws/segments', { name: 'All', filters: [] });
    const id = await made(':ws/campaigns', { name: 'Spring', segment_id });
    await open(`/campaigns/${id}`);
    const { page } = owner;
    const type = async (text: string) => {
      await page.getByLabel('Add what is done').selectOption({ label: 'Message to the phone' });
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
    };
    await type('Hello!');
    await button('Add').click();
    await page.getByRole('listitem').filter({ hasText: 'Hello!' }).first().waitFor();
    await type('And welcome');
    await page.getByLabel('Day').fill('2099-03-01');
    asked.length = 0;
    await page.getByRole('button', { name: /^Schedule for/ }).click();
    await until(async () => (await read(`/campaigns/${id}`)).status === 'scheduled');
    expect(asked).toEqual([
      'What you typed is not added yet, and does not go out. Go on without it?',
    ]);
    const other = await made(':ws/campaigns', { name: 'Summer', segment_id });
    await open(`/campaigns/${other}`);
    await type('Lost?');
    asked.length = 0;
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    expect(asked).toEqual(['Leave without saving?']);
  });

  test('says what a rule would do in the language of the reader', async () => {
    await newClient(shop, { first_name: 'Bo' });
    await made(':ws/automations', {
      name: 'Danach',
      active: true,
      trigger_type: 'loyalty',
      trigger_config: { event_types: ['points_earned'] },
      effects: [{ type: 'send_push', title: null, body: 'Danke' }],
    });
    const german = await newOwnerAtDesk(browser, shop, { locale: 'de-DE' });
    await german.page.goto('/console/rules/new?example=purchase');
    await german.page.getByRole('textbox', { name: 'Kundschaft' }).fill('Bo');
    await german.page.getByRole('button', { name: /^Bo/ }).click();
    await german.page.getByRole('button', { name: 'Ausprobieren' }).click();
    await german.page.getByText(/^✓ \d+ Beans$/).waitFor();
    await german.page
      .getByRole('listitem')
      .filter({ hasText: 'Danach' })
      .getByText('die Nachricht „Danke“')
      .waitFor();
    expect(german.complaints).toEqual([]);
    await german.context.close();
  });

  test('one sign-in lets all tabs of a browser in', async () => {
    const visitor = await newOwnerAtDesk(browser, shop);
    const tab = await visitor.context.newPage();
    await tab.goto('/console/rewards');
    await tab.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.page.waitForURL(/\/sign-in$/);
    await visitor.page.goto('/console');
    for (const page of [visitor.page, tab])
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await visitor.page.locator('input[type=email]').fill(shop.owner.email);
    await visitor.page.locator('input[type=password]').fill(PASSWORD);
    await visitor.page.locator('button[type=submit]').click();
    await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await tab.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });

  test('one sign-in goes on with what waits in another tab whose session ended', async () => {
    const visitor = await newOwnerAtDesk(browser, shop);
    const tab = await visitor.context.newPage();
    await tab.goto('/console/rewards');
    await tab.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
    // As it is once the platform knows the session no longer.
    await visitor.context.clearCookies();
    const gone = {
      status: 401,
      json: { errors: [{ message: 'no', extensions: { code: 'INVALID_TOKEN' } }] },
    };
    let isGone = true;
    await visitor.context.route(/\/service-api\//, (route) =>
      isGone ? route.fulfill(gone) : route.fallback(),
    );
    const menu = (page: typeof tab) =>
      page.getByRole('navigation').getByRole('link', { name: 'Campaigns', exact: true }).click();
    for (const page of [visitor.page, tab]) {
      await menu(page);
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    }
    isGone = false;
    await visitor.page.locator('input[type=password]').fill(PASSWORD);
    await visitor.page.getByRole('dialog').locator('button[type=submit]').click();
    for (const page of [visitor.page, tab]) {
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    }
    await visitor.context.close();
  });
});

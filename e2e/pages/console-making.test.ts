import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';

describeInBrowser('what is made and deleted in the console', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let owner: Visitor;
  const asked: string[] = [];

  beforeAll(async () => {
    workspace = await newWorkspace();
    await newWalletType(workspace, { code: 'beans', name: 'Beans', is_default: true });
    browser = await openBrowser();
    owner = await newOwnerAtDesk(browser, workspace);
    owner.page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await workspace.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const namesOf = async (path: string): Promise<string[]> =>
    expectStatus(await workspace.get(path), 200).body.data.map(
      ({ name }: { name: string }) => name,
    );
  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const atDesk = async () => {
    await owner.expectAccessible();
    await owner.page.setViewportSize(DESK);
  };

  test('no card, form, campaign or tier is made under a name that another has', async () => {
    const { page, click } = owner;
    const sheet = page.getByRole('dialog');
    const name = sheet.getByLabel('Name');
    const project_id = await made(':ws/projects', { name: 'Shop' });
    const { name: shop } = expectStatus(await workspace.get(':ws'), 200).body.data;
    const card = { project_id, name: shop };
    const pass_template_id = await made(':ws/pass-templates', card);
    const form = { project_id, pass_template_id, delivery_mode: 'page' };
    await made(':ws/distributions', { ...form, name: 'Sign-up at the counter' });
    await made(':ws/campaigns', { name: 'A hello' });
    await made(':ws/tiers/set', {
      name: 'Tiers',
      active: true,
      conditions: [{ type: 'total_spending' }],
      downgrade_config: { lookback_days: 365 },
    });
    await made(':ws/tiers', {
      name: 'Regular',
      sort_order: 1,
      condition_values: { total_spending: 0 },
    });
    for (const [page_, make, another, list] of [
      ['/cards', 'Make the card', shop, ':ws/pass-templates'],
      ['/forms', 'Make the form', 'Sign-up at the counter', ':ws/distributions'],
      ['/campaigns', 'Make the draft', 'A hello', ':ws/campaigns'],
      ['/tiers', 'Save', 'Regular', ':ws/tiers'],
    ] as const) {
      await open(page_);
      await click(page.getByRole('button', { name: /^New / }).first());
      // What is proposed elsewhere is no name here: it is taken.
      expect(await name.inputValue()).toBe('');
      await name.fill(another.toUpperCase());
      await sheet.getByText('This name is taken.').waitFor();
      await atDesk();
      expect(await sheet.getByRole('button', { name: make }).isDisabled()).toBe(true);
      expect(await namesOf(list)).toEqual([another]);
      await name.fill(`${another} 2`);
      await click(sheet.getByRole('button', { name: make }));
      await sheet.waitFor({ state: 'detached' });
      expect((await namesOf(list)).sort()).toEqual([another, `${another} 2`]);
    }
  });

  test('what is wrong with a condition or an effect is said at its field', async () => {
    const { page, click } = owner;
    const id = await made(':ws/automations', {
      name: 'A bean',
      active: false,
      trigger_type: 'transaction',
      conditions: [
        { type: 'client_metric', metric: 'transaction_count', operator: 'gte', value: 5 },
      ],
      effects: [
        { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
      ],
    });
    await open(`/rules/${id}`);
    const amount = page.getByRole('group', { name: /1 Beans/i }).getByLabel('Amount');
    await page.getByLabel('Amount', { exact: true }).fill('-3');
    await page.getByLabel(/days/i).first().fill('0.5');
    await click(button('Save'));
    const wrong = page.locator('input[aria-invalid=true]');
    await wrong.first().waitFor();
    expect(await amount.count()).toBeLessThanOrEqual(1);
    expect(await wrong.count()).toBe(2);
    for (const field of await wrong.all()) {
      const said = await field.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${said?.split(' ').at(-1)}"]`).textContent()).toMatch(/\w/);
    }
    await page.locator('.field-error').waitFor({ state: 'hidden' });
    await atDesk();
    await click(button('Take changes back'));
    await wrong.first().waitFor({ state: 'detached' });
  });

  test('the log of changes says what was changed, of whom, and from what to what, in words', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'A cup of tea', cost_in_points: 100 });
    const change = { cost_in_points: 120, availability_end: '2099-01-01T00:00:00.000Z' };
    expectStatus(await workspace.patch(`:ws/rewards/${id}`, change), 200);
    const cy = await newClient(workspace, { first_name: 'Cy' });
    const points = { client_id: cy.id, amount: 5, wallet_type_code: 'beans', description: 'Sorry' };
    expectStatus(await workspace.post(':ws/loyalty/points/adjust', points), 201);
    const gone = await made(':ws/segments', { name: 'Everybody', filters: [] });
    expectStatus(await workspace.del(`/segments/${gone}`), 200);
    await open('/settings?tab=audit');
    const row = (what: string) => page.getByRole('row').filter({ hasText: what }).first();
    await row('Reward · changed')
      .getByRole('cell', { name: /price: 100 → 120/ })
      .last()
      .waitFor();
    await row('Reward · changed').getByRole('link', { name: 'A cup of tea' }).waitFor();
    await row('Points · corrected').getByRole('link', { name: 'Cy' }).waitFor();
    await row('Segment · deleted').getByRole('cell', { name: 'Everybody' }).waitFor();
    expect(await page.getByRole('table').textContent()).not.toMatch(/[a-z]_[a-z]/);
    // There is room on a phone, too: below what was done.
    await page.setViewportSize({ width: 390, height: 844 });
    await row('Reward · changed')
      .locator('small')
      .getByText(/price: 100 → 120/)
      .waitFor();
    await atDesk();
  });

  test('what stands on the screens of staff and customers is in the language of the shop', async () => {
    const { page, click } = owner;
    expectStatus(await workspace.patch(':ws/settings', { default_locale: 'de' }), 200);
    await open('/till');
    await page.getByLabel('Add a button').selectOption({ label: 'Record a purchase' });
    await page.getByRole('listitem').filter({ hasText: 'Einkauf erfassen' }).waitFor();
    await open('/forms');
    await click(page.getByRole('button', { name: 'New form' }));
    await page.getByRole('dialog').getByLabel('Name').fill('At the door');
    await click(page.getByRole('button', { name: 'Make the form' }));
    await page.getByRole('group', { name: 'Vorname' }).waitFor();
    await page.getByLabel('Add a field').selectOption({ label: 'Last name' });
    await page.getByRole('group', { name: 'Nachname' }).waitFor();
  });

  test('a campaign is for everybody without a segment of one’s own, and is not sent where no member gets it', async () => {
    const shop = await newWorkspace();
    await newClient(shop, { first_name: 'Bo' });
    const other = await newOwnerAtDesk(browser, shop);
    const { body } = await shop.post(':ws/campaigns', { name: 'Hello' });
    await other.page.goto(`/console/campaigns/${body.data.id}`);
    await other.page.getByLabel('Segment').selectOption({ label: 'Everybody' });
    await other.page.getByText('1 customer', { exact: true }).waitFor();
    await other.page.getByLabel('Add what is done').selectOption({ label: 'Message to the phone' });
    await other.page.getByRole('textbox', { name: 'Message' }).fill('Hello!');
    await other.click(other.page.getByRole('button', { name: 'Add', exact: true }));
    const send = other.page.getByRole('button', { name: 'Send now: 0 customers' });
    await send.waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test('a workspace ends once its name is typed, by the one who made it', async () => {
    const shop = await newWorkspace();
    const { name } = expectStatus(await shop.get(':ws'), 200).body.data;
    const other = await newOwnerAtDesk(browser, shop);
    await other.page.goto('/console/settings');
    const end = 'Delete this workspace';
    await other.click(other.page.getByRole('button', { name: end }));
    const sheet = other.page.getByRole('dialog');
    expect(await sheet.getByRole('button', { name: end }).isDisabled()).toBe(true);
    await other.expectAccessible();
    await sheet.getByLabel(/^Type/).fill(name);
    await other.click(sheet.getByRole('button', { name: end }));
    await other.page.getByRole('heading', { name: 'No shop yet' }).waitFor();
    expect((await shop.get(':ws')).status).toBe(403);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test('a card goes where no member has it, and else only with another card for those who have it', async () => {
    const { page, click } = owner;
    const project_id = await made(':ws/projects', { name: 'Cards' });
    const [old, next, spare] = [
      await made(':ws/pass-templates', { project_id, name: 'Old card' }),
      await made(':ws/pass-templates', { project_id, name: 'Next card' }),
      await made(':ws/pass-templates', { project_id, name: 'Spare card' }),
    ];
    const form = { project_id, delivery_mode: 'page' };
    const formId = await made(':ws/distributions', {
      ...form,
      pass_template_id: spare,
      name: 'Door',
    });
    const client = await newClient(workspace, { first_name: 'Ann' });
    await made(':ws/passes', { project_id, pass_template_id: old, client_id: client.id });

    await open(`/cards/${old}`);
    await click(button('Delete'));
    const sheet = page.getByRole('dialog');
    await sheet.getByText(/^1 customer has it/).waitFor();
    await atDesk();
    await sheet.getByLabel('Card that they get instead').selectOption('Next card');
    await click(sheet.getByRole('button', { name: 'Exchange the cards and delete' }));
    await page.getByRole('heading', { name: 'Cards', level: 1 }).waitFor();
    const has = await workspace.get(`:ws/clients/${client.id}/passes`);
    expect(has.body.data).toMatchObject([{ pass_template_id: next }]);

    await open(`/cards/${spare}`);
    await click(button('Delete'));
    await page.getByRole('alert').getByText('In use: Door. Change that first.').waitFor();
    await open(`/forms/${formId}`);
    await click(button('Delete'));
    expect(asked.at(-1)).toMatch(
      /^Delete “Door”\? Its address and its posters lead nowhere then\./,
    );
    await page.getByRole('heading', { name: 'Sign-up forms', level: 1 }).waitFor();
    expect(await namesOf(':ws/distributions')).not.toContain('Door');
    await open(`/cards/${spare}`);
    await click(button('Delete'));
    await page.getByRole('heading', { name: 'Cards', level: 1 }).waitFor();
    expect(await namesOf(':ws/pass-templates')).not.toContain('Spare card');
  });
});

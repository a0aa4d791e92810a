import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  PASSWORD,
  type TestWorkspace,
} from '../support/factories';

/** Clicks that each journey may take (the design's table). */
const CLICKS_MAX = { balance: 6, rule: 9, reward: 4, segment: 5 };

describeInBrowser('the console', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let weber: { id: string };

  beforeAll(async () => {
    workspace = await newWorkspace();
    await newWalletType(workspace, {
      code: 'beans',
      name: 'Beans',
      is_default: true,
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
    });
    weber = await newClient(workspace, { first_name: 'Frieda', last_name: 'Weber' });
    const points = { client_id: weber.id, amount: 50, description: 'A present' };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', points), 201);
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const arrive = (options: Parameters<typeof newOwnerAtDesk>[2] = {}): Promise<Visitor> =>
    newOwnerAtDesk(browser, workspace, options);
  const go = ({ page, click }: Visitor, name: string) =>
    click(page.getByRole('navigation').getByRole('link', { name, exact: true }));
  const leave = async (owner: Visitor) => {
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  };

  test('tells how last week went and what is owed, with charts that can be read as tables', async () => {
    const owner = await arrive();
    const { page } = owner;
    await page.getByRole('region', { name: 'Owed today' }).getByText('50').waitFor();
    await page.getByRole('region', { name: 'New customers' }).getByText('1').waitFor();
    await page.getByRole('figure', { name: 'Customers' }).getByText('Figures').click();
    expect(await page.getByRole('rowheader').count()).toBe(7);
    await owner.expectAccessible();
    await leave(owner);
  });

  test('finds who misses points, says why, and corrects the balance once', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    owner.clicks = 0;
    await click(page.getByRole('button', { name: /^Search/ }));
    await page.getByPlaceholder(/Name, e-mail/).fill('Weber');
    await click(page.getByRole('button', { name: /Frieda Weber/ }));
    await click(page.getByRole('button', { name: /^Why/ }));
    await page.getByRole('dialog').getByText('Earned').waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await page.keyboard.press('Escape');
    await click(page.getByRole('button', { name: 'Correct balance' }));
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Amount').fill('12,5');
    await sheet.getByLabel('Reason').fill('Forgotten at the counter');
    await sheet.getByText('50 beans → 62.5 beans').waitFor();
    // A second click, as of somebody in a hurry, does nothing.
    owner.clicks += 1;
    await sheet.getByRole('button', { name: /^Book/ }).dblclick();
    await page.getByRole('region', { name: 'Beans' }).getByText('62.5', { exact: true }).waitFor();
    expect(owner.clicks).toBeLessThanOrEqual(CLICKS_MAX.balance);
    const { body } = await workspace.get(`:ws/clients/${weber.id}/points/ledger`);
    expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([12.5, 50]);
    await leave(owner);
  });

  test('builds a rule as a sentence, plays the past, and switches it on', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    owner.clicks = 0;
    await go(owner, 'Rules');
    if (await page.getByRole('link', { name: 'Double on quiet hours' }).isHidden())
      await click(page.getByRole('button', { name: 'New rule' }));
    await click(page.getByRole('link', { name: 'Double on quiet hours' }));
    await page.getByText(/if it is Tue between 8 and 11 o’clock, then 1 bean/).waitFor();
    await click(page.getByLabel('Wed'));
    await page.getByText(/if it is Tue, Wed between/).waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(page.getByRole('button', { name: 'Play the past' }));
    await page.getByText(/^Times: /).waitFor();
    await click(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Everything is saved.').waitFor();
    await click(page.locator('.sentence label', { hasText: 'Off' }));
    await page.getByRole('switch', { name: 'On', exact: true }).waitFor();
    expect(owner.clicks).toBeLessThanOrEqual(CLICKS_MAX.rule);
    await page.getByText(/is on\.$/).waitFor();
    const { body } = await workspace.get(':ws/automations');
    expect(body.data).toMatchObject([
      {
        active: true,
        conditions: [{ expression: expect.stringContaining('in [2.0, 3.0]') }],
      },
    ]);
    await leave(owner);
  });

  test('offers a reward in four clicks, with the currency filled in, and says what is wrong at its field', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    owner.clicks = 0;
    await go(owner, 'Rewards');
    await click(page.getByRole('button', { name: 'New reward' }));
    await page.getByLabel('Name').fill('A coffee');
    await page.getByLabel('Price (beans)').fill('100');
    await page.getByLabel(/Coupon codes/).fill('NO-TOKEN');
    await click(page.getByRole('button', { name: 'Save' }));
    await page.getByText(/^The pattern needs a part like/).waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    expect(await page.getByLabel('Name').inputValue()).toBe('A coffee');
    await page.getByLabel(/Coupon codes/).fill('');
    await click(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { name: 'A coffee', level: 1 }).waitFor();
    expect(owner.clicks).toBeLessThanOrEqual(CLICKS_MAX.reward);
    const { body } = await workspace.get(':ws/rewards');
    expect(body.data).toMatchObject([{ name: 'A coffee', cost_in_points: 100 }]);
    expect(body.data[0].wallet_type_id).not.toBeNull();
    await leave(owner);
  });

  test('keeps who has not come for long as a segment, and gives the list as a file', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    owner.clicks = 0;
    await go(owner, 'Customers');
    await click(page.getByRole('link', { name: 'New filter' }));
    await page.getByLabel('Value (days)').fill('60');
    await click(page.getByRole('button', { name: 'Save' }));
    await page
      .getByRole('heading', { name: 'last purchase at least 60 days ago', level: 1 })
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('button', { name: 'Export' })),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    expect(owner.clicks).toBeLessThanOrEqual(CLICKS_MAX.segment);
    await owner.expectAccessible();
    await leave(owner);
  });

  test('tells who changed what somebody is at, and loses nothing that was typed', async () => {
    const made = await workspace.post(':ws/rewards', { name: 'Bun', cost_in_points: 5 });
    const { id } = expectStatus(made, 200).body.data;
    const colleague = await newMember(workspace, 'admin');
    const owner = await arrive();
    const { page, click } = owner;
    await page.goto(new URL(`/console/rewards/${id}`, page.url()).href);
    await page.getByLabel('Name').fill('Raisin bun');
    expectStatus(await colleague.patch(`:ws/rewards/${id}`, { cost_in_points: 6 }), 200);
    // Looking at the page again asks for the newest; what is typed stays all the same.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await click(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Raisin bun');
    expect((await workspace.get(`:ws/rewards/${id}`)).body.data.name).toBe('Bun');
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(page.getByRole('button', { name: 'Save mine all the same' }));
    await page.getByText('Everything is saved.').waitFor();
    expect((await workspace.get(`:ws/rewards/${id}`)).body.data).toMatchObject({
      name: 'Raisin bun',
      cost_in_points: 6,
    });

    await page.getByLabel('Name').fill('Almond bun');
    expectStatus(await colleague.patch(`:ws/rewards/${id}`, { name: 'Nut bun' }), 200);
    await click(page.getByRole('button', { name: 'Save', exact: true }));
    page.once('dialog', (dialog) => void dialog.accept());
    await click(page.getByRole('button', { name: 'Show what is there now' }));
    await until(async () => (await page.getByLabel('Name').inputValue()) === 'Nut bun');
    // Saved twice in a row it is one's own version that is changed.
    for (const name of ['Plain bun', 'Sweet bun']) {
      await page.getByLabel('Name').fill(name);
      await click(page.getByRole('button', { name: 'Save', exact: true }));
      await until(async () => (await workspace.get(`:ws/rewards/${id}`)).body.data.name === name);
    }
    await leave(owner);
  });

  test('says of a thing whose files say how it is, and of no other, and in no other workspace', async () => {
    const beans = { key: 'bun', name: 'Poppy bun', cost_in_points: 5 };
    const managed = expectStatus(await workspace.post(':ws/rewards', beans), 200).body.data;
    const free = expectStatus(
      await workspace.post(':ws/rewards', { ...beans, key: 'other', name: 'Free bun' }),
      200,
    ).body.data;
    const bakery = { managed: [{ kind: 'rewards', key: 'bun', fields: {} }] };
    expectStatus(await workspace.put(':ws/programmes/bakery', bakery), 200);
    const elsewhere = await newWorkspace();
    const other = { managed: [{ kind: 'rewards', key: 'other', fields: {} }] };
    expectStatus(await elsewhere.put(':ws/programmes/elsewhere', other), 200);
    const owner = await arrive();
    const { page } = owner;
    await page.goto(new URL(`/console/rewards/${managed.id}`, page.url()).href);
    await page.getByText('Managed by bakery: change it in its files.').waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await page.goto(new URL(`/console/rewards/${free.id}`, page.url()).href);
    await page.getByLabel('Name').waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByText('Managed by').waitFor({ state: 'hidden' });
    await leave(owner);
  });

  test('asks for an ended session over the page, and loses nothing that was typed', async () => {
    const owner = await arrive();
    const { page, context } = owner;
    await page.goto('/console/rewards/new');
    await page.getByLabel('Name').fill('A cake');
    await page.getByLabel('Price (beans)').fill('7');
    await context.clearCookies();
    // As when the access token ran out meanwhile.
    let isOld = true;
    await context.route('**/service-api/**', (route) =>
      isOld ? route.fulfill({ status: 401, body: '{}' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    isOld = false;
    await dialog.locator('input[type=password]').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'A cake', level: 1 }).waitFor();
    await leave(owner);
  });

  test('can be gone through by keyboard', async () => {
    const owner = await arrive();
    const { page } = owner;
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Weber');
    await page.getByRole('link', { name: 'Frieda Weber' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(owner);
  });

  describe('every page', () => {
    const ids: Record<string, string> = {};
    let owner: Visitor;
    beforeAll(async () => {
      const made = async (path: string, body: object) =>
        (await workspace.post(path, body)).body.data.id as string;
      const project_id = await made(':ws/projects', { name: 'Shop' });
      ids.card = await made(':ws/pass-templates', { name: 'Card', project_id });
      const form = { project_id, pass_template_id: ids.card, name: 'Counter' };
      ids.form = await made(':ws/distributions', { ...form, delivery_mode: 'page' });
      ids.campaign = await made(':ws/campaigns', { name: 'Spring' });
      ids.formula = await made(':ws/automations', {
        name: 'Round sums',
        trigger_type: 'transaction',
        conditions: [{ type: 'expression', expression: 'event.amount % 10.0 == 0.0' }],
        effects: [
          { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
        ],
      });
      ids.customer = weber.id;
      owner = await arrive();
    });
    afterAll(() => leave(owner));

    test.each([
      '',
      '/customers',
      '/customers/:customer',
      '/customers/:customer?tab=rewards',
      '/customers/:customer?tab=visits',
      '/customers/:customer?tab=cards',
      '/customers/:customer?tab=data',
      '/customers/:customer?tab=privacy',
      '/rewards',
      '/rewards?tab=redemptions',
      '/rewards/new',
      '/rules',
      '/rules?tab=runs',
      '/rules?tab=friends',
      '/rules/new',
      '/rules/:formula',
      '/tiers',
      '/segments',
      '/segments/new',
      '/campaigns',
      '/campaigns/:campaign',
      '/cards',
      '/cards/:card',
      '/forms',
      '/forms/:form',
      '/till',
      '/connections',
      '/connections?tab=integrations',
      '/connections?tab=token',
      '/settings',
      '/settings?tab=currencies',
      '/settings?tab=fields',
      '/settings?tab=brand',
      '/settings?tab=mails',
      '/settings?tab=mails&mail=pass&language=pl',
      '/settings?tab=portal',
      '/settings?tab=wallets',
      '/settings?tab=team',
      '/settings?tab=audit',
      '/nowhere',
    ])('/console%s has no fault on a phone and at a desk, in light and in the dark', async (at) => {
      const { page } = owner;
      await page.goto(`/console${at.replace(/:(\w+)/, (_, name) => ids[name]!)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await owner.expectAccessible();
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    });
  });

  test.each([
    ['de-DE', 'Überblick'],
    ['fr-FR', 'Aperçu'],
    ['es-ES', 'Resumen'],
    ['pl-PL', 'Przegląd'],
  ])('speaks to its visitor in %s', async (locale, heading) => {
    const owner = await arrive({ locale });
    await owner.page.getByRole('heading', { name: heading }).waitFor();
    expect(await owner.page.locator('html').getAttribute('lang')).toBe(locale);
    await leave(owner);
  });

  test('says once how the shop looks, and writes a mail that is seen as it would arrive', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    await go(owner, 'Settings');
    await click(page.getByRole('link', { name: 'Brand' }));
    await page.getByLabel('What customers call your shop').fill('Bohne & Blatt');
    await page.getByLabel('Colour', { exact: true }).fill('#3b2a20');
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Brand saved.').waitFor();
    await click(page.getByRole('link', { name: 'Mails' }));
    await page.getByLabel('Mail', { exact: true }).selectOption('portal_code');
    const drawn = page.frameLocator('iframe');
    await drawn.getByText('Your code to sign in to Bohne & Blatt is 314159.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('<b>Moin!</b> {{code}}');
    await drawn.getByText('<b>Moin!</b> 314159').waitFor();
    await click(page.getByRole('button', { name: 'Name of the shop' }));
    await drawn.getByText('314159Bohne & Blatt').waitFor();
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await page.getByLabel('Text', { exact: true }).fill('no code');
    await click(page.getByRole('button', { name: 'Save' }).last());
    await page.getByText('text must have {{code}} in it').first().waitFor();
    await page.getByLabel('Text', { exact: true }).fill('Moin! {{code}}');
    await click(page.getByRole('button', { name: 'Save' }).last());
    await page.getByText('The next mail says it like this.').waitFor();
    const [, , code] = (await workspace.get(':ws/mails')).body.data;
    expect(code).toMatchObject({ is_own: true, text: 'Moin! {{code}}' });
    await click(page.getByRole('button', { name: 'Take the usual words' }));
    await page.getByText('The mail has its usual words again.').waitFor();
    await leave(owner);
  });

  test('makes a workspace like the one that is open, and goes there when it is ready', async () => {
    const owner = await arrive();
    const { page, click } = owner;
    await go(owner, 'Settings');
    await page.getByLabel('Name of the new workspace').fill('Trying prices');
    await page.getByLabel('So many customers go along').fill('5');
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(page.getByRole('button', { name: 'Clone this workspace' }));
    const chosen = page.getByLabel('Workspace', { exact: true });
    await until(async () => {
      const [name] = await chosen.locator('option:checked').allTextContents();
      return name === 'Trying prices';
    });
    await go(owner, 'Customers');
    await page.getByText('Member 1', { exact: true }).first().waitFor();
    await leave(owner);
  });
});

import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import { newWalletType, newWorkspace, type TestWorkspace } from '../support/factories';
import { newHolder } from '../support/mobile';

/** What the console says is what there is, and what can be typed there can be kept. */
describeInBrowser('an owner at the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  let page: Page;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    const { laurel } = shop;
    const beans = await newWalletType(shop, { code: 'beans', name: 'Beans', is_default: true });
    const { client, projectId } = await newHolder(shop, { person: { first_name: 'Frieda' } });
    await laurel.points.earn({ client_id: client.id, amount: 10 });
    const mug = { name: 'Mug', cost_in_points: 4, purchasable: true, usage_limit: 1 };
    await laurel.rewards.create({ ...mug, wallet_type_id: beans.id });
    await laurel.dataModel.create({
      field_name: 'kids',
      field_label: 'Kids',
      field_type: 'number',
    });
    await laurel.dataModel.create({
      field_name: 'near',
      field_label: 'Near',
      field_type: 'select',
      options: ['Port', 'Hill'],
    });
    await laurel.clients.update(client.id, { custom_fields: { kids: 2 } });
    const [template] = await laurel.passTemplates.list();
    await laurel.distributions.create({
      project_id: projectId,
      pass_template_id: template!.id,
      name: 'At the door',
      delivery_mode: 'page',
      page_enabled: true,
    });
    owner = await newOwnerAtDesk(browser, shop);
    page = owner.page;
    page.on('dialog', (dialog) => void dialog.accept());
  });
  afterAll(() => browser?.close());
  afterEach(() => expect(owner?.complaints).toEqual([]));

  const go = async (place: string) => {
    await page.goto(`/console${place}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const balanceOf = (text: string) =>
    page
      .getByRole('row', { name: /Frieda/ })
      .getByText(text)
      .waitFor();

  test('reads of each correction and redemption in every place that tells of it', async () => {
    await go('/customers');
    await balanceOf('10 Beans');
    await page.getByRole('link', { name: 'Frieda' }).click();
    await page.getByRole('button', { name: 'Correct balance' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Amount').fill('5');
    await sheet.getByLabel('Reason').fill('a kindness');
    await sheet.getByRole('button', { name: /^Book/ }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '← Customers' }).click();
    await balanceOf('15 Beans');
    await page.getByRole('link', { name: 'Frieda' }).click();
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    await sheet.getByRole('button', { name: 'Redeem: Mug' }).click();
    await sheet.getByText(/Mug/).waitFor();
    await sheet.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'Rewards', exact: true }).first().click();
    await page.getByRole('link', { name: 'Mug' }).click();
    const left = page.getByRole('region', { name: 'Left' });
    await left.getByText('0').waitFor();
    await page.getByRole('link', { name: 'Redemptions' }).click();
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await left.getByText('1').waitFor();
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await balanceOf('15 Beans');
  });

  test('asks a segment’s own fields for what they hold, and may empty a day', async () => {
    await go('/segments/new');
    const add = page.getByLabel('Add a question');
    await page.getByRole('button', { name: /^Remove: last purchase/ }).click();
    await add.selectOption('registered');
    await page.locator('input[type=date]').fill('');
    await page.getByText('One of the values cannot be read, so nobody is counted.').waitFor();
    await page.getByRole('button', { name: /^Remove: customer since/ }).click();
    await add.selectOption('custom');
    await page.getByLabel('Compared').selectOption('_gte');
    await page.getByLabel('Value').fill('2');
    await page.getByText('1 customer', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Segment saved.').waitFor();
    await page.getByRole('heading', { name: 'Kids at least 2', level: 1 }).waitFor();
  });

  test('asks in a form for a field with choices, and gives fields in other letters a name each', async () => {
    await go('/forms');
    await page.getByRole('link', { name: 'At the door' }).click();
    await page.getByLabel('Add a field').selectOption('near');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Everything is saved.').waitFor();
    for (const label of ['Город', 'Улица']) {
      await go('/settings?tab=fields');
      await page.getByRole('button', { name: 'New field' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Name').fill(label);
      await sheet.getByRole('button', { name: 'Add' }).click();
      await sheet.waitFor({ state: 'detached' });
    }
    const names = (await shop.laurel.dataModel.list()).map(({ field_name }) => field_name);
    expect(names).toEqual(expect.arrayContaining(['field', 'field_2']));
  });
});

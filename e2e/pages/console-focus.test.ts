import { until } from '@laurel/testing';
import type { Browser, Dialog, Locator } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerOfBeans } from '../support/console';
import { newClient, newWorkspace, type TestWorkspace } from '../support/factories';
import { unseenByKeyboard } from '../support/unseen';

const FOCUSED =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';

/** A member without a mouse goes on where they are, and what a form does not show is said beside it. */
describeInBrowser('somebody at the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
  });
  afterEach(async () => {
    await owner.page.unrouteAll();
    expect(owner.complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const focused = () => owner.page.evaluate(FOCUSED);
  const made = async (path: string, body: object): Promise<string> =>
    (await shop.post(path, body)).body.data.id;
  /** Refuses the next change of a row for a member of it, as the platform would. */
  const refuse = (place: RegExp, field: string, message: string) =>
    owner.page.route(place, async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      const extensions = { code: 'INVALID_PAYLOAD', field };
      await route.fulfill({ status: 400, json: { errors: [{ message, extensions }] } });
    });

  test('goes on at the next row where a row is deleted by keyboard', async () => {
    const { page } = owner;
    for (const label of ['Dog', 'Cat', 'Bird'])
      await made(':ws/data-model', {
        field_name: label.toLowerCase(),
        field_label: label,
        field_type: 'text',
      });
    await open('/settings?tab=fields');
    page.once('dialog', (dialog) => void dialog.accept());
    const cat = page.getByRole('button', { name: /^Delete.*Cat$/ });
    await cat.focus();
    await page.keyboard.press('Enter');
    await cat.waitFor({ state: 'detached' });
    const isNext = async () => /^Delete: (Dog|Bird)$/.test(String(await focused()));
    await until(isNext, { what: 'the focus at the next row' });
  });

  test('stays at a button that rests while it works', async () => {
    const { page } = owner;
    const effects = [
      { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
    ];
    for (const name of ['One', 'Two', 'Three'])
      await made(':ws/automations', { name, trigger_type: 'transaction', active: false, effects });
    await open('/rules');
    const turn = page.getByRole('switch').first();
    await turn.focus();
    await page.keyboard.press('Space');
    await page.getByText(/is on/).waitFor();
    const isBack = () => page.evaluate('document.activeElement.getAttribute("role") === "switch"');
    await until(async () => (await isBack()) === true, { what: 'the focus at the button' });
  });

  test.each([
    ['a segment', 'segments', { name: 'All', filters: [] }, 'filters'],
    ['a reward', 'rewards', { name: 'Bun', cost_in_points: 5 }, 'metadata'],
  ])('reads beside %s what no field of it says', async (_, noun, body, field) => {
    const { page } = owner;
    const id = await made(`:ws/${noun}`, body);
    await open(`/${noun}/${id}`);
    await page.getByLabel(/^Name/).first().fill('Another');
    await refuse(new RegExp(`/${noun}/${id}$`), field, 'this is not to be had together');
    await button('Save').click();
    await page.locator('.save-bar').getByText('this is not to be had together').waitFor();
  });

  test('opens by Enter what the text in the finder finds, though the answer is not there yet', async () => {
    const { page } = owner;
    await newClient(shop, { first_name: 'Zora', last_name: 'Abel' });
    await newClient(shop, { first_name: 'Zora', last_name: 'Zorn' });
    await open('/customers');
    await page.getByRole('link', { name: 'Zora Zorn' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByPlaceholder(/Name, e-mail/);
    await field.fill('Abel');
    await page.getByRole('button', { name: /^Zora Abel/ }).waitFor();
    await field.fill('Zorn');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zora Zorn', level: 1 }).waitFor();
  });

  test('finds the search of customers empty where a link leads to all of them', async () => {
    const { page } = owner;
    await open('/customers?q=Zorn');
    const search = page.getByLabel('Name, e-mail or phone');
    expect(await search.inputValue()).toBe('Zorn');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Customers', exact: true })
      .click();
    await page.waitForURL(/customers$/);
    await page.getByRole('link', { name: 'Zora Abel' }).waitFor();
    expect(await search.inputValue()).toBe('');
    await search.fill('Abel');
    await page.waitForURL(/q=Abel$/);
    expect(await search.inputValue()).toBe('Abel');
  });

  test('imports a file only once its columns are known', async () => {
    const { page } = owner;
    await open('/customers');
    await button('Import').click();
    const sheet = page.getByRole('dialog', { name: 'Import' });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/clients\/import\/check/, async (route) => {
      await held;
      await route.fallback();
    });
    const text = 'Vorname,Mail\nUte,ute@example.com\n';
    const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await sheet.getByLabel('CSV or NDJSON file').setInputFiles(file);
    const go = sheet.getByRole('button', { name: 'Import', exact: true });
    expect(await go.isDisabled()).toBe(true);
    letGo();
    await go.click();
    await sheet.getByText('Done: 1 new, 0 updated, 0 not read').waitFor();
    const { body } = await shop.get(':ws/clients?search=ute@example.com');
    expect(body.data).toMatchObject([{ first_name: 'Ute', email: 'ute@example.com' }]);
  });

  test('is asked before the way back takes a sheet with what is typed in it', async () => {
    const { page } = owner;
    await open('/');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Customers', exact: true })
      .click();
    await button('Add customer').click();
    const name = page.getByRole('dialog').getByLabel('First name');
    await name.fill('Ida');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.evaluate('history.back()');
    await until(async () => asked.length > 0, { what: 'the question' });
    expect(asked).toEqual(['Leave without saving?']);
    await page.waitForURL(/customers$/);
    expect(await name.inputValue()).toBe('Ida');
  });

  test('leaves what was half changed without a question once it is deleted', async () => {
    const { page } = owner;
    const id = await made(':ws/segments', { name: 'Half', filters: [] });
    await open(`/segments/${id}`);
    await page.getByLabel(/^Name/).fill('Half of it');
    const asked: string[] = [];
    const accept = (dialog: Dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    };
    page.on('dialog', accept);
    await button('Delete').click();
    await page.waitForURL(/segments$/);
    page.off('dialog', accept);
    expect(asked).toEqual([expect.stringContaining('Half')]);
  });

  test('is at the list of shop systems once one is disconnected', async () => {
    const { page } = owner;
    await open('/connections/integrations/webhook_inbox');
    await button('Save').click();
    page.once('dialog', (dialog) => void dialog.accept());
    await button('Delete').click();
    await page.waitForURL(/connections\?tab=integrations$/);
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  });

  test('reads of a reward that no currency pays for that customers do not see it', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Bun', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    await page
      .getByRole('complementary', { name: /customers see/ })
      .getByText(/^Customers do not see it/)
      .waitFor();
  });

  test('is back at what opened a sheet or the finder once that is closed', async () => {
    const { page } = owner;
    await open('/customers');
    const add = button('Add customer');
    await add.focus();
    for (const [key, field] of [
      ['Enter', page.getByLabel('First name')],
      ['Control+k', page.getByPlaceholder(/Name, e-mail/)],
    ] as const) {
      await page.keyboard.press(key);
      await field.waitFor();
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      await until(async () => (await focused()) === 'Add customer', { what: 'the focus again' });
    }
  });

  test('stays in a sheet that is refused: where it is wrong, else at its button', async () => {
    const { page } = owner;
    await newClient(shop, { email: 'taken@example.com' });
    await open('/customers');
    await button('Add customer').click();
    const sheet = page.getByRole('dialog');
    const mail = sheet.getByLabel('E-mail');
    await mail.fill('taken@example.com');
    const send = sheet.getByRole('button', { name: 'Add', exact: true });
    const has = (field: Locator) => async () =>
      (await field.and(page.locator(':focus')).count()) === 1;
    await send.focus();
    await page.keyboard.press('Enter');
    await until(has(mail), { what: 'the focus at the address that is taken' });
    await page.route(/\/clients$/, (route) => route.abort());
    await mail.fill('new@example.com');
    await send.focus();
    await page.keyboard.press('Enter');
    await sheet.getByText('No connection').waitFor();
    await until(has(send), { what: 'the focus at the button' });
    expect(owner.complaints.splice(0).filter((said) => !said.includes('net::ERR'))).toEqual([]);
  });

  test('sees which field has the focus, and the field itself however low the window is', async () => {
    const { page } = owner;
    const unseen: string[] = [];
    for (const address of ['/rewards/new', '/settings?tab=portal']) {
      await open(address);
      await page.locator('.save-bar').waitFor();
      unseen.push(...(await unseenByKeyboard(page)));
    }
    await page.setViewportSize(DESK);
    expect(unseen).toEqual([]);
  });
});

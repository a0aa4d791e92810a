import { until } from '@laurel/testing';
import type { Browser, Route } from 'playwright-core';
import { describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { complaintsOfMore, newOwnerOfBeans } from '../support/console';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from '../support/factories';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What comes late finds the page as it is by then, and what does not come at all is asked for as it was. */
describeInBrowser('an answer that the console waits for', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
  });
  afterEach(async () => {
    await owner.page.unrouteAll();
    expect(complaintsOfMore(owner)).toEqual([]);
  });
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const made = async (path: string, body: object): Promise<string> =>
    (await shop.post(path, body)).body.data.id;

  /** Keeps a call until it is let go. */
  async function hold(place: RegExp, method: string): Promise<() => void> {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await owner.page.route(place, async (route) => {
      if (route.request().method() === method) await held;
      await route.fallback();
    });
    return letGo;
  }
  /** Lets calls arrive and none of their answers come back, for as long as `isLost` says. */
  const lose = (place: RegExp, isLost: (route: Route) => boolean) =>
    owner.page.route(place, async (route) => {
      if (!isLost(route)) return route.fallback();
      await route.fetch();
      await route.abort();
    });

  test('leaves a member on the page where they are by then', async () => {
    const { page } = owner;
    await open('/rewards/new');
    await page.getByLabel('Name').fill('A cake');
    const letGo = await hold(/\/rewards$/, 'POST');
    await button('Save').click();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Customers', exact: true })
      .click();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    letGo();
    await page.getByText('Reward saved.').waitFor();
    await page.getByLabel('Name, e-mail or phone').fill('Nora');
    await page.waitForURL(/customers\?q=Nora$/);
  });

  test('that is a refusal is said, though what it is about was closed meanwhile', async () => {
    const { page } = owner;
    const reward = await made(':ws/rewards', { name: 'Scone', cost_in_points: 0 });
    const { id } = await newClient(shop, { first_name: 'Nils' });
    await open(`/customers/${id}`);
    await button('Redeem').click();
    const letGo = await hold(/\/rewards\/redeem$/, 'POST');
    await button('Redeem: Scone').click();
    await button('Close').click();
    expectStatus(await shop.patch(`:ws/rewards/${reward}`, { active: false }), 200);
    letGo();
    expect(await page.locator('.toast span').textContent()).toBe('This reward is not on offer.');
    owner.complaints.splice(0);
  });

  test('takes back nothing of what was typed while a picture was on its way', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Bun', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    const letGo = await hold(/\/service-api\/files$/, 'POST');
    const picture = { name: 'bun.png', mimeType: 'image/png', buffer: PICTURE };
    await page.getByLabel('Picture').setInputFiles(picture);
    await page.getByLabel('Name').fill('Raisin bun');
    letGo();
    await page.locator('.picture-field img').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Raisin bun');
    await button('Save').click();
    await page.getByText('Everything is saved.').waitFor();
    const { body } = await shop.get(`:ws/rewards/${id}`);
    expect(body.data).toMatchObject({ name: 'Raisin bun', image: expect.any(String) });
  });

  test('is a picture that did not come at first, and comes a moment later', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Pretzel', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    const picture = { name: 'pretzel.png', mimeType: 'image/png', buffer: PICTURE };
    await page.getByLabel('Picture').setInputFiles(picture);
    await page.locator('.picture-field img').waitFor();
    await button('Save').click();
    await page.getByText('Everything is saved.').waitFor();
    const { body } = await shop.get(`:ws/rewards/${id}`);
    const address = `/assets/${body.data.image}?width=480`;
    let asked = 0;
    await page.route(`**${address}`, (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.fallback();
    });
    await open('/rewards');
    const shown = page.locator(`img[src="${address}"]`);
    await until(() =>
      shown.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    expect(asked).toBe(2);
  });

  test('leaves what is saved on the page until the row that has it is there', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Tart', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    await page.getByLabel('Name').fill('Lemon tart');
    const letGo = await hold(new RegExp(`/rewards/${id}$`), 'GET');
    await button('Save').click();
    await page.getByText('Reward saved.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Lemon tart');
    letGo();
    await page.getByText('Everything is saved.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Lemon tart');
  });

  test('to an import that is lost keeps no other file from going in', async () => {
    const { page } = owner;
    let isAway = true;
    await lose(/\/clients\/import\?/, () => isAway);
    await open('/customers');
    await button('Import').click();
    const sheet = page.getByRole('dialog', { name: 'Import' });
    const choose = async (name: string, text: string) => {
      await sheet
        .getByLabel('CSV or NDJSON file')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await sheet.getByText(/^The whole file was looked at/).waitFor();
    };
    await choose('wrong.csv', 'first_name,email\nAnn,ann@example.com\n');
    await sheet.getByRole('button', { name: 'Import' }).click();
    await sheet.getByText('No connection. Check your network').waitFor();
    isAway = false;
    await choose('right.csv', 'first_name,email\nBo,bo@example.com\nCy,cy@example.com\n');
    await sheet.getByRole('button', { name: 'Import' }).click();
    await sheet.getByText('Done: 2 new, 0 updated, 0 not read').waitFor();
  });

  test('to what is sent to a webhook again is asked for under the same key until it comes', async () => {
    const { page } = owner;
    const id = await made(':ws/webhooks', { url: 'https://a.example/', event_types: ['*'] });
    await open(`/connections/webhooks/${id}`);
    const keys = new Set<string>();
    let isAway = true;
    await lose(/\/replay$/, (route) => {
      keys.add(route.request().headers()['idempotency-key']!);
      return isAway;
    });
    await button('Send the last 24 hours again').click();
    await page.getByText('No connection. Check your network').waitFor();
    isAway = false;
    await button('Send the last 24 hours again').click();
    await page.getByText('The last 24 hours are sent again.').waitFor();
    expect(keys.size).toBe(1);
  });

  test('ends with no page of another thing: what was typed on the one is not on the other', async () => {
    const { page } = owner;
    const project_id = await made(':ws/projects', { name: 'Shop' });
    const ids = await Promise.all(
      ['Red card', 'Blue card'].map((name) => made(':ws/pass-templates', { project_id, name })),
    );
    await open(`/cards/${ids[0]}`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Crimson card');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Name, e-mail/).fill('Blue card');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: /^Blue card/ }).click();
    await page.getByRole('heading', { name: 'Blue card', level: 1 }).waitFor();
    expect(await name.inputValue()).toBe('Blue card');
  });

  test('of a search is of what lies below: over a sheet nothing is searched, and leaving it asks', async () => {
    const { page } = owner;
    const { id } = await newClient(shop, { first_name: 'Ann' });
    await open(`/customers/${id}`);
    await button('Correct balance').click();
    await page.getByRole('dialog').getByLabel('Amount').fill('5');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await page.keyboard.press('Control+k');
    // What would be drawn is drawn by then.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(asked).toEqual(['Leave without saving?']);
  });

  test('that fills a page to its last row offers no next one', async () => {
    const { page } = owner;
    const { id } = await newClient(shop, { first_name: 'Di' });
    for (let amount = 1; amount <= 25; amount += 1)
      expectStatus(await shop.post(':ws/loyalty/points/earn', { client_id: id, amount }), 201);
    await open(`/customers/${id}`);
    await page.getByText('25 of 25').waitFor();
    await button('Next').waitFor({ state: 'hidden' });
  });

  test('takes nothing away that was typed while it was under way', async () => {
    const { page } = owner;
    const id = await made(':ws/rewards', { name: 'Tart', cost_in_points: 5 });
    await open(`/rewards/${id}`);
    const letGo = await hold(new RegExp(`/rewards/${id}$`), 'PATCH');
    await page.getByLabel('Name').fill('Plum tart');
    await button('Save').click();
    await page.getByLabel('Description').fill('With cream');
    letGo();
    await until(async () => (await shop.get(`:ws/rewards/${id}`)).body.data.name === 'Plum tart');
    await page.getByText('Reward saved.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('With cream');
    await button('Save').click();
    await page.getByText('Everything is saved.').waitFor();
    const { body } = await shop.get(`:ws/rewards/${id}`);
    expect(body.data).toMatchObject({ name: 'Plum tart', description: 'With cream' });
  });

  test('to signing out that does not come leaves no member in the belief that they are out', async () => {
    const { page } = owner;
    await page.route(/\/auth\/session$/, (route) => route.abort());
    await button('Sign out').click();
    await page.getByText('No connection. Check your network').waitFor();
    await page.unrouteAll();
    await button('Sign out').click();
    await page.waitForURL(/\/sign-in$/);
  });
});

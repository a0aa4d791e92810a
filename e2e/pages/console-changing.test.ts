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
});

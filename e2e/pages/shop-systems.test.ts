import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import { expectStatus, newMember, newWorkspace, type TestWorkspace } from '../support/factories';

describeInBrowser('the page of a shop system', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let owner: Visitor;

  beforeAll(async () => {
    workspace = await newWorkspace();
    browser = await openBrowser();
    owner = await newOwnerAtDesk(browser, workspace, {
      address: '/console/connections?tab=integrations',
    });
  });
  afterAll(() => browser?.close());
  const read = async (provider: string) =>
    expectStatus(await workspace.get(`:ws/integrations/${provider}`), 200).body.data;
  const save = () => owner.page.getByRole('button', { name: 'Save', exact: true });

  test('connects a system that sends JSON from what most send, says a wrong formula at its field, and tells the address', async () => {
    const { page, click } = owner;
    await page.getByLabel('Connect a shop system').selectOption('Any system that sends JSON');
    await page.getByRole('heading', { name: 'Any system that sends JSON' }).waitFor();
    await page.getByLabel('Amount').fill('body.total +');
    await click(save());
    const amount = page.getByLabel('Amount');
    await until(async () => (await amount.getAttribute('aria-invalid')) === 'true');
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await amount.fill('body.total / 100');
    await click(save());
    await page.getByText('This is shown once.').waitFor();
    const address = await page.getByLabel('Secret', { exact: true }).inputValue();
    const purchase = { id: 1, total: 1280, customer: { email: 'ann@example.com' } };
    const arrived = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(purchase),
    });
    expect(arrived.status).toBe(202);
    expect(await read('webhook_inbox')).toMatchObject({
      enabled_inbound: true,
      config: { mapping: { amount: 'body.total / 100', email: 'body.customer.email' } },
    });
    expect(owner.complaints).toEqual([]);
  });

  test('tells who changed it meanwhile, and loses nothing that was typed', async () => {
    const first = {
      config: { base_url: 'https://crm.example.com/v1' },
      secrets: { api_key: 'k-1234' },
    };
    expectStatus(await workspace.put(':ws/integrations/crm_sync', first), 200);
    const colleague = await newMember(workspace, 'admin');
    const { page, click } = owner;
    await page.goto(new URL('/console/connections/integrations/crm_sync', page.url()).href);
    const address = page.getByLabel('Address of its API');
    await address.fill('https://crm.example.com/v3');
    const theirs = { config: { base_url: 'https://crm.example.com/v2' } };
    expectStatus(await colleague.put(':ws/integrations/crm_sync', theirs), 200);
    // Looking at the page again asks for the newest; what is typed stays all the same.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await click(save());
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    expect(await address.inputValue()).toBe('https://crm.example.com/v3');
    expect((await read('crm_sync')).config).toEqual(theirs.config);
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(page.getByRole('button', { name: 'Save mine all the same' }));
    await page.getByText('Everything is saved.').waitFor();
    expect(await read('crm_sync')).toMatchObject({
      config: { base_url: 'https://crm.example.com/v3' },
      secrets_meta: { api_key: { last4: '1234' } },
    });
    expect(owner.complaints).toEqual([]);
  });

  test('is not removed by somebody who has not seen what it is by now', async () => {
    const colleague = await newMember(workspace, 'admin');
    const { page, click } = owner;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(new URL('/console/connections/integrations/crm_sync', page.url()).href);
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    const theirs = { config: { base_url: 'https://crm.example.com/v4' } };
    expectStatus(await colleague.put(':ws/integrations/crm_sync', theirs), 200);
    await click(page.getByRole('button', { name: 'Delete' }));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    await click(page.getByRole('button', { name: 'Show what is there now' }));
    const address = page.getByLabel('Address of its API');
    await until(async () => (await address.inputValue()) === 'https://crm.example.com/v4');
    await click(page.getByRole('button', { name: 'Delete' }));
    await until(async () => (await workspace.get(':ws/integrations/crm_sync')).status === 404);
    expect(owner.complaints).toEqual([]);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import { newClient, newWalletType, newWorkspace, type TestWorkspace } from '../support/factories';

interface Journey {
  workspace: TestWorkspace;
  owner: Visitor;
  /** To one of the pages in the navigation. */
  go(name: string): Promise<void>;
}

async function planCampaign({ workspace, owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Campaigns');
  await click(page.getByRole('button', { name: 'New campaign' }).first());
  await click(page.getByRole('button', { name: 'Make the draft' }));
  owner.clicks += 1;
  await page.getByLabel('Segment').selectOption({ label: 'Everybody' });
  await page.getByText('2 customers', { exact: true }).waitFor();
  owner.clicks += 1;
  await page.getByLabel('Add what is done').selectOption({ label: 'Message to the phone' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Merry Christmas!');
  await click(page.getByRole('button', { name: 'Add', exact: true }));
  await page.getByRole('listitem').filter({ hasText: 'Merry Christmas!' }).first().waitFor();
  const nextYear = new Date().getUTCFullYear() + 1;
  await page.getByLabel('Day').fill(`${nextYear}-12-20`);
  await click(page.getByRole('button', { name: /^Schedule for/ }));
  await page.getByText(/^Goes out/).waitFor();
  const { body } = await workspace.get(':ws/campaigns');
  expect(body.data).toMatchObject([{ status: 'scheduled' }]);
}

async function colourCard({ workspace, owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Cards');
  await click(page.getByRole('link', { name: 'Bean card' }));
  owner.clicks += 1;
  await page.getByLabel('Background').fill('#3b2a20');
  await page.getByLabel('Text beside the logo').fill('Bean & Leaf');
  await click(page.getByRole('button', { name: /^(Save|Publish)/ }));
  await page.getByText('Everything is saved.').waitFor();
  await page.getByRole('img', { name: 'The card in Apple Wallet' }).waitFor();
  const { body } = await workspace.get(':ws/pass-templates');
  expect(body.data[0].background_color.toLowerCase()).toBe('#3b2a20');
}

async function printPoster({ owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await page.evaluate('window.print = () => { window.printed = true; }');
  await go('Cards');
  await click(page.getByRole('link', { name: 'Sign-up forms' }));
  await click(page.getByRole('button', { name: 'New form' }).first());
  await click(page.getByRole('button', { name: 'Print poster' }));
  expect(await page.evaluate('window.printed')).toBe(true);
}

async function pairPhone({ owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Till');
  await click(page.getByRole('button', { name: 'Add somebody' }).first());
  await page.getByLabel('First name').fill('Lisa');
  await page.getByLabel('E-mail or phone').fill('lisa@example.com');
  await click(page.getByRole('button', { name: 'Add, and pair a phone' }));
  const code = await page.getByText(/^\d{6}$/).textContent();
  const phone = await owner.context.newPage();
  await phone.goto(`/till/#pair=${encodeURIComponent('lisa@example.com')}:${code}`);
  await phone.locator('input[name=wanted]').waitFor();
  await phone.close();
  await page.getByText('The phone is paired.').waitFor();
}

async function exportPerson({ owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Customers');
  await click(page.getByRole('link', { name: 'Frieda Weber' }));
  await click(page.getByRole('link', { name: 'Privacy' }));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    click(page.getByRole('button', { name: 'Download' })),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.json$/);
}

async function forgetPerson({ workspace, owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Customers');
  await click(page.getByRole('link', { name: 'Frieda Weber' }));
  await click(page.getByRole('link', { name: 'Privacy' }));
  await click(page.getByRole('button', { name: 'Forget the person' }));
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel(/^Type/).fill('Frieda Weber');
  await click(sheet.getByRole('button', { name: 'Forget the person' }));
  await sheet.waitFor({ state: 'detached' });
  const { body } = await workspace.get(':ws/clients?status=anonymized');
  expect(body.data).toHaveLength(1);
}

async function importCustomers({ owner, go }: Journey): Promise<void> {
  const { page, click } = owner;
  await go('Customers');
  await click(page.getByRole('button', { name: 'Import' }));
  const sheet = page.getByRole('dialog');
  owner.clicks += 1;
  await sheet.getByLabel('CSV or NDJSON file').setInputFiles({
    name: 'old.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Vorname;E-Mail;Notiz\nBo;bo@example.com;x\nCy;cy@example.com;\nDi;nowhere;\n',
    ),
  });
  // What the columns are is guessed, what cannot be read is said, before anything goes in.
  await sheet.getByText('Line 3: E-mail: An e-mail address such as').waitFor();
  expect(await sheet.getByLabel('Vorname').inputValue()).toBe('first_name');
  expect(await sheet.getByLabel('Notiz').inputValue()).toBe('');
  await owner.expectAccessible();
  await page.setViewportSize(DESK);
  await click(sheet.getByRole('button', { name: 'Import' }));
  await sheet.getByText('Lines not read: 1 of 3. 2 new').waitFor();
  await click(sheet.getByRole('button', { name: 'Close' }).last());
  await page.getByRole('link', { name: 'Bo' }).waitFor();
}

async function readLastWeek({ owner }: Journey): Promise<void> {
  const { page, click } = owner;
  await page.getByRole('region', { name: 'Owed today' }).waitFor();
  await click(page.getByRole('figure', { name: 'Customers' }).getByText('Figures'));
  await page.getByRole('rowheader').first().waitFor();
}

async function sendAgain({ workspace, owner }: Journey): Promise<void> {
  const { page, click } = owner;
  const shop = await openShopSystem();
  try {
    const webhook = { url: shop.url, event_types: ['client.created'] };
    const made = await workspace.post(':ws/webhooks', webhook);
    const deliveries = `:ws/webhooks/${made.body.data.id}/deliveries`;
    await newClient(workspace, { first_name: 'Eve' });
    const isFailing = async () => (await workspace.get(':ws/attention')).body.data.length > 0;
    await until(isFailing, { what: 'the webhook among what needs somebody' });
    await page.reload();
    await click(page.locator('.need').getByRole('link').first());
    await click(page.getByRole('button', { name: 'Look' }).first());
    await page.getByRole('dialog').getByText('503').first().waitFor();
    shop.comeBack();
    await click(page.getByRole('dialog').getByRole('button', { name: 'Send again' }));
    const isTaken = async () =>
      (await workspace.get(deliveries)).body.data[0].status === 'delivered';
    await until(isTaken, { what: 'the delivery taken' });
  } finally {
    shop.close();
  }
}

/** A shop system that is down until it comes back. */
async function openShopSystem() {
  let status = 503;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    comeBack: () => {
      status = 204;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Those of the design's sixteen that no other file goes through, with the clicks that they may take. */
const JOURNEYS: readonly [name: string, clicksMax: number, walk: (at: Journey) => Promise<void>][] =
  [
    ['last week and what is owed are read', 1, readLastWeek],
    ['something nice before Christmas is planned', 9, planCampaign],
    ['the card looks like the shop', 6, colourCard],
    ['a code hangs by the door', 4, printPoster],
    ['a phone becomes a till', 4, pairPhone],
    ['the shop system that heard nothing hears again', 4, sendAgain],
    ['a customer gets her data', 5, exportPerson],
    ['the customers of the old system come along', 6, importCustomers],
    ['a customer is forgotten', 5, forgetPerson],
  ];

describeInBrowser('journeys through the console', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let owner: Visitor;

  beforeAll(async () => {
    workspace = await newWorkspace();
    await newWalletType(workspace, { code: 'beans', name: 'Beans', is_default: true });
    await newClient(workspace, { first_name: 'Ann', last_name: 'Lee' });
    await newClient(workspace, { first_name: 'Frieda', last_name: 'Weber' });
    await workspace.post(':ws/segments', { name: 'Everybody', filters: [] });
    const { body } = await workspace.post(':ws/projects', { name: 'Shop' });
    await workspace.post(':ws/pass-templates', { name: 'Bean card', project_id: body.data.id });
    browser = await openBrowser();
    owner = await newOwnerAtDesk(browser, workspace);
  });
  afterAll(() => browser?.close());

  test.each(JOURNEYS)('%s in at most %i clicks', async (_, clicksMax, walk) => {
    const { page, click } = owner;
    await page.goto('/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    owner.clicks = 0;
    const go = (name: string) =>
      click(page.getByRole('navigation').getByRole('link', { name, exact: true }));
    await walk({ workspace, owner, go });
    expect(owner.clicks).toBeLessThanOrEqual(clicksMax);
    expect(owner.complaints).toEqual([]);
  });
});

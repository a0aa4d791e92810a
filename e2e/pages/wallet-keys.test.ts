import { generateKeyPairSync } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import { newMember, newWorkspace, type TestWorkspace } from '../support/factories';

describeInBrowser('the wallet keys of a workspace in the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerAtDesk(browser, shop);
    owner.page.on('dialog', (dialog) => void dialog.accept());
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const open = () => owner.page.goto('/console/settings?tab=wallets');
  const panel = (name: string) => owner.page.locator('section.panel').filter({ hasText: name });
  const sheet = () => owner.page.getByRole('dialog');

  test('that could sign nothing are refused in words, each at its field, which keeps what was typed', async () => {
    await open();
    await owner.page.getByRole('button', { name: 'Enter keys of Apple' }).click();
    const typed = {
      'Pass type identifier': 'card.example',
      'Team identifier': 'abc',
      Certificate: 'c',
      'Private key': 'k',
      'WWDR certificate of Apple': 'w',
    };
    const field = (label: string) => sheet().getByRole('textbox', { name: label, exact: true });
    const fill = async (fields: Record<string, string>) => {
      for (const [label, text] of Object.entries(fields)) await field(label).fill(text);
      await sheet().getByRole('button', { name: 'Save' }).click();
    };
    await fill(typed);
    for (const wrong of ['Such as pass.com.example.card.', '10 capital letters and digits.'])
      await sheet().getByText(wrong).waitFor();
    await fill({ 'Pass type identifier': 'pass.com.example', 'Team identifier': 'ABCDE12345' });
    await sheet().getByText('No private key in PEM').waitFor();
    expect(await sheet().getByText('No certificate in PEM.').count()).toBe(2);
    expect(await field('Private key').inputValue()).toBe('k');
    await owner.expectAccessible();
  });

  test('of Google are entered, never shown again, and removed', async () => {
    const { page } = owner;
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const file = JSON.stringify({ client_email: 'cards@shop.example', private_key: privateKey });
    await open();
    await panel('Google Wallet').getByText('neither here nor of the installation').waitFor();
    await page.getByRole('button', { name: 'Enter keys of Google' }).click();
    const account = sheet().getByLabel('Key file of the service account');
    await sheet().getByLabel('Issuer id').fill('3388000000012345678');
    await account.fill('no file');
    await sheet().getByText('This is no key file of a service account.').waitFor();
    await account.fill(file);
    await sheet().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Keys saved: cards go onto phones.').waitFor();
    await panel('Google Wallet').getByText('ready', { exact: true }).waitFor();
    await panel('Google Wallet').getByText('Keys of this workspace sign.').waitFor();
    await owner.expectAccessible();

    await page.getByRole('button', { name: 'Enter keys of Google' }).click();
    expect(await account.inputValue()).toBe('');
    expect(await page.content()).not.toContain('cards@shop.example');
    await sheet().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Remove keys of Google' }).click();
    await panel('Google Wallet').getByText('not ready', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove keys/ }).count()).toBe(0);
  });

  test('are entered and removed by admins alone', async () => {
    const member = await newMember(shop);
    const address = '/console/settings?tab=wallets';
    const visitor = await newOwnerAtDesk(browser, { owner: member.user }, { address });
    await visitor.page.getByText('Only admins may do this.').waitFor();
    await visitor.page.getByRole('heading', { name: 'Google Wallet' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: /keys of/ }).count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  test('are where the page of cards leads while no phone takes them', async () => {
    const { page } = owner;
    await page.goto('/console/cards');
    await page.getByRole('link', { name: 'Enter their keys' }).click();
    await page.getByRole('heading', { name: 'Apple Wallet' }).waitFor();
  });
});

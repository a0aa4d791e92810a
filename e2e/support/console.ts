import type { Browser } from 'playwright-core';
import { DESK, newVisitor, type Visitor } from './browser';
import { newWalletType, PASSWORD, type TestWorkspace } from './factories';

/** What a page complained of since it was asked last, but that a connection broke: for tests that break them. */
export const complaintsOfMore = ({ complaints }: Visitor): string[] =>
  complaints.splice(0).filter((said) => !said.includes('net::ERR'));

/** The one who made a workspace, at a desk, signed in to the console. */
export async function newOwnerAtDesk(
  browser: Browser,
  { owner: { email } }: Pick<TestWorkspace, 'owner'>,
  {
    address = '/console',
    ...options
  }: Parameters<typeof newVisitor>[1] & { address?: string } = {},
): Promise<Visitor> {
  const owner = await newVisitor(browser, { viewport: DESK, ...options });
  await owner.visit(address);
  await owner.page.locator('input[type=email]').fill(email);
  await owner.page.locator('input[type=password]').fill(PASSWORD);
  await owner.page.locator('button[type=submit]').click();
  await owner.page.locator('.side').waitFor({ state: 'attached' });
  return owner;
}

/** The one who made a workspace whose points are beans, at the first page of its console. */
export async function newOwnerOfBeans(browser: Browser, shop: TestWorkspace): Promise<Visitor> {
  await newWalletType(shop, { code: 'beans', name: 'Beans', is_default: true });
  const owner = await newOwnerAtDesk(browser, shop);
  await owner.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return owner;
}

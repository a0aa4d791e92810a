import type { Browser } from 'playwright-core';
import { DESK, newVisitor, type Visitor } from './browser';
import { PASSWORD, type TestWorkspace } from './factories';

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

import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import {
  expectStatus,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';

describeInBrowser('two people at one thing', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let colleague: Awaited<ReturnType<typeof newMember>>;
  let owner: Visitor;

  beforeAll(async () => {
    workspace = await newWorkspace();
    colleague = await newMember(workspace, 'admin');
    await newWalletType(workspace, { code: 'beans', name: 'Beans' });
    browser = await openBrowser();
    owner = await newOwnerAtDesk(browser, workspace);
  });
  const asked: string[] = [];
  beforeAll(() =>
    owner.page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    }),
  );
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await workspace.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const read = async (path: string) => expectStatus(await workspace.get(path), 200).body.data;
  const theyChange = async (path: string, body: object) =>
    expectStatus(await colleague.patch(path, body), 200);
  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  /** What is shown then, is what the colleague made of it. */
  const lookAtTheirs = async () => {
    await owner.page.getByText(`${colleague.user.email} changed this at`).waitFor();
    await owner.expectAccessible();
    await owner.page.setViewportSize(DESK);
    await owner.click(button('Show what is there now'));
    await owner.page.getByText('changed this at').waitFor({ state: 'detached' });
  };

  test('a rule is switched in the list as it is shown there, and switched back at once', async () => {
    const id = await made(':ws/automations', {
      name: 'A bean',
      active: false,
      trigger_type: 'transaction',
      effects: [
        { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
      ],
    });
    await open('/rules');
    const { page, click } = owner;
    const turn = page.getByRole('switch', { name: /A bean|Nine beans/ });
    await turn.waitFor();
    await theyChange(`:ws/automations/${id}`, { name: 'Nine beans' });
    await turn.locator('..').click();
    await lookAtTheirs();
    await page.getByRole('link', { name: 'Nine beans' }).waitFor();
    expect(await read(`:ws/automations/${id}`)).toMatchObject({ active: false });
    await turn.locator('..').click();
    await page.getByText(/Nine beans.* is on/).waitFor();
    expect(await read(`:ws/automations/${id}`)).toMatchObject({ active: true });
    await click(page.getByRole('status').getByRole('button', { name: 'Undo' }));
    await until(async () => !(await read(`:ws/automations/${id}`)).active);
  });

  test('a webhook is switched and deleted as it is shown', async () => {
    const body = { url: 'https://a.example/', event_types: ['*'] };
    const id = await made(':ws/webhooks', body);
    await open(`/connections/webhooks/${id}`);
    const { page, click } = owner;
    const turn = page.getByRole('switch');
    await turn.waitFor();
    await theyChange(`:ws/webhooks/${id}`, { event_types: ['loyalty.points_earned'] });
    await turn.locator('..').click();
    await lookAtTheirs();
    expect(await read(`:ws/webhooks/${id}`)).toMatchObject({ active: true });
    await turn.locator('..').click();
    await until(async () => !(await read(`:ws/webhooks/${id}`)).active);
    // What the page asks for after its own change must not bring it theirs.
    await until(async () => !(await turn.isChecked()));
    await theyChange(`:ws/webhooks/${id}`, { active: true });
    await click(button('Delete'));
    await lookAtTheirs();
    await click(button('Delete'));
    await until(async () => (await workspace.get(`:ws/webhooks/${id}`)).status === 404);
  });

  test('a currency keeps what a colleague set, and what was typed over it is not lost', async () => {
    const id = await made(':ws/wallet-types', { code: 'stars', name: 'Stars' });
    await open('/settings?tab=currencies');
    const { page, click } = owner;
    await click(page.getByRole('button', { name: /^Edit.*Stars/ }));
    const one = page.getByRole('dialog').getByRole('textbox', { name: 'One is called' });
    await one.fill('star');
    await theyChange(`:ws/wallet-types/${id}`, { expiry_days: 90 });
    await click(button('Save'));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    expect(await one.inputValue()).toBe('star');
    expect(await read(`:ws/wallet-types/${id}`)).toMatchObject({ unit_singular_name: null });
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(button('Show what is there now'));
    expect(asked.at(-1)).toMatch(/^Throw away what you typed here/);
    const days = page.getByRole('dialog').getByLabel(/Expires after/);
    await until(async () => (await days.inputValue()) === '90');
    await one.fill('star');
    await click(button('Save'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await read(`:ws/wallet-types/${id}`)).toMatchObject({
      expiry_days: 90,
      unit_singular_name: 'star',
    });
  });

  test('what somebody changed a moment ago is not shown to them as it was before', async () => {
    const id = await made(':ws/wallet-types', { code: 'moons', name: 'Moons' });
    await open('/settings?tab=currencies');
    const { page, click } = owner;
    const sheet = page.getByRole('dialog');
    const one = sheet.getByRole('textbox', { name: 'One is called' });
    await click(page.getByRole('button', { name: /^Edit.*Moons/ }));
    await one.fill('moon');
    await click(button('Save'));
    await sheet.waitFor({ state: 'detached' });
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/wallet-types/${id}`, async (route) => {
      await answered;
      await route.continue();
    });
    await click(page.getByRole('button', { name: /^Edit.*Moons/ }));
    await sheet.getByRole('status', { name: /^Loading/ }).waitFor();
    expect(await one.count()).toBe(0);
    answer();
    await one.waitFor();
    expect(await one.inputValue()).toBe('moon');
    await page.unroute(`**/wallet-types/${id}`);
    await click(sheet.getByRole('button', { name: 'Close' }));
    await sheet.waitFor({ state: 'detached' });
  });

  test('the name of a workspace keeps what a colleague set beside it, and what was typed is not lost', async () => {
    await open('/settings');
    const { page, click } = owner;
    const name = page.getByRole('textbox', { name: 'Name of the shop' });
    await name.fill('Corner Coffee');
    await theyChange(':ws/settings', { timezone: 'Europe/Warsaw' });
    await click(button('Save'));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    expect(await name.inputValue()).toBe('Corner Coffee');
    await click(button('Show what is there now'));
    await until(async () => (await page.getByLabel('Time zone').inputValue()) === 'Europe/Warsaw');
    await name.fill('Corner Coffee');
    await theyChange(':ws', { name: 'Theirs' });
    await click(button('Save'));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    // A shop of another name is shown anew, and nothing may be opened before it is.
    const shownAnew = page.waitForEvent('load');
    await click(button('Save mine all the same'));
    await until(async () => (await read(':ws')).name === 'Corner Coffee');
    await shownAnew;
    expect(await read(':ws/settings')).toMatchObject({ timezone: 'Europe/Warsaw' });
  });

  test('who stands at the counter is put right and suspended as shown, and what was typed is not lost', async () => {
    const id = await made(':ws/mobile-app-users', {
      first_name: 'Lisa',
      email: `lisa-${workspace.workspaceId}@shop.example`,
    });
    const at = `:ws/mobile-app-users/${id}`;
    expectStatus(await workspace.patch(at, { status: 'active' }), 200);
    await open('/till');
    const { page, click } = owner;
    const of = (act: string, name: string) =>
      page.getByRole('button', { name: new RegExp(`^${act}.*${name}`) });
    await click(of('Edit', 'Lisa'));
    const last = page.getByRole('dialog').getByLabel('Last name');
    await last.fill('Weber');
    await theyChange(at, { phone: '+48600700800' });
    await click(button('Save'));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    expect(await last.inputValue()).toBe('Weber');
    await owner.expectAccessible();
    await page.setViewportSize(DESK);
    await click(button('Save mine all the same'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await read(at)).toMatchObject({ last_name: 'Weber', phone: '+48600700800' });

    await of('Suspend', 'Lisa Weber').waitFor();
    await theyChange(at, { first_name: 'Lise' });
    await click(of('Suspend', 'Lisa Weber'));
    await lookAtTheirs();
    expect(await read(at)).toMatchObject({ status: 'active' });
    await click(of('Suspend', 'Lise Weber'));
    await of('Let back in', 'Lise Weber').waitFor();
    expect(await read(at)).toMatchObject({ status: 'suspended' });
    await click(of('Edit', 'Lise Weber'));
    await click(button('Delete'));
    await until(async () => (await workspace.get(at)).status === 404);
  });

  test('what was refused goes with the changes, and a reward that somebody took says why it is kept', async () => {
    const id = await made(':ws/rewards', { name: 'A coffee', cost_in_points: 0 });
    const client_id = await made(':ws/clients', { first_name: 'Bo', email: 'bo@shop.example' });
    await made(':ws/rewards/redeem', { reward_id: id, client_id });
    await open(`/rewards/${id}`);
    const { page, click } = owner;
    const codes = page.getByLabel(/^Coupon codes/);
    await codes.fill('COFFEE');
    await click(button('Save'));
    await page.locator('[aria-invalid=true]').waitFor();
    // What is no number is not left out of what is sent: it is put right first.
    const cost = page.getByRole('textbox', { name: /^Price/ });
    await cost.fill('ten');
    await codes.fill('COFFEE-{RAND:6}');
    await click(button('Save'));
    await page.locator('input:focus[data-no-number]').waitFor();
    expect(await read(`:ws/rewards/${id}`)).toMatchObject({ code_pattern: null });
    await click(button('Take changes back'));
    await until(async () => (await cost.inputValue()) === '0');
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    expect(await codes.inputValue()).toBe('');
    await click(button('Delete'));
    await page.getByRole('alert').getByText('Switch “On offer” off').waitFor();
    expect(asked.at(-1)).toContain('A coffee');
  });

  test('the buttons of the till are switched, moved and added to as they are shown', async () => {
    await made(':ws/mobile-app-config', {});
    const { actions } = await read(':ws/mobile-app-config');
    const [first, second] = actions as { id: string; name: string; is_enabled: boolean }[];
    await open('/till');
    const { page, click } = owner;
    const turn = page.getByRole('switch', { name: new RegExp(first!.name) });
    await turn.waitFor();
    await theyChange(`/mobile-app-actions/${second!.id}`, { name: 'Theirs' });
    await turn.locator('..').click();
    await lookAtTheirs();
    await page.getByText('Theirs').first().waitFor();
    const is = async () => (await read(':ws/mobile-app-config')).actions[0].is_enabled;
    expect(await is()).toBe(first!.is_enabled);
    await turn.locator('..').click();
    await until(async () => (await is()) !== first!.is_enabled);
    // What the page asks for after its own change must not bring it theirs.
    await until(async () => (await turn.isChecked()) !== first!.is_enabled);
    await theyChange(`/mobile-app-actions/${second!.id}`, { name: 'Theirs again' });
    await click(page.getByRole('button', { name: /up/i }).nth(1));
    await page.getByText('changed this').waitFor();
    const order = (await read(':ws/mobile-app-config')).actions.map(({ id }: { id: string }) => id);
    expect(order).toEqual(actions.map(({ id }: { id: string }) => id));
  });

  test('a campaign goes out only as it was seen, and what was typed for it is not lost', async () => {
    const segment_id = await made(':ws/segments', { name: 'Everybody', filters: [] });
    const client_id = await made(':ws/clients', { first_name: 'Ada', marketing_consent: true });
    const project_id = await made(':ws/projects', { name: 'Shop' });
    const card = {
      project_id,
      pass_template_id: await made(':ws/pass-templates', { name: 'Card', project_id }),
    };
    await made(':ws/passes', { ...card, client_id });
    const id = await made(':ws/campaigns', { name: 'Spring', segment_id });
    const said = (notification_message: string) => ({ action_config: { notification_message } });
    await made(`/campaigns/${id}/actions`, { action_type: 'push_notification', ...said('Hello') });
    await open(`/campaigns/${id}`);
    const { page, click } = owner;
    const send = page.getByRole('button', { name: /^Send now/ });
    await until(() => send.isEnabled());
    const [action] = await read(`/campaigns/${id}/actions`);
    await theyChange(`/campaign-actions/${action.id}`, said('Half price for everybody'));
    await click(send);
    await page.getByText('Nothing was done: look at it first.').waitFor();
    expect(await read(`/campaigns/${id}`)).toMatchObject({ status: 'draft' });
    // Of a part that they changed, too, a moment after oneself had made the whole.
    await lookAtTheirs();
    await page.getByText('Half price for everybody').first().waitFor();

    await page.getByLabel('Add what is done').selectOption({ label: 'Message to the phone' });
    await page.getByRole('textbox', { name: 'Message' }).fill('Merry Christmas!');
    await theyChange(`/campaigns/${id}`, { name: 'Summer' });
    await click(button('Add'));
    await page.getByText(`${colleague.user.email} changed this at`).waitFor();
    const text = page.getByRole('textbox', { name: 'Message' });
    expect(await text.inputValue()).toBe('Merry Christmas!');
    await click(button('Save mine all the same'));
    await page.getByRole('listitem').filter({ hasText: 'Merry Christmas!' }).first().waitFor();
    await page.getByRole('heading', { name: 'Summer', level: 1 }).waitFor();
    await click(send);
    await until(async () => (await read(`/campaigns/${id}`)).status !== 'draft');
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser, type Visitor } from '../support/browser';
import { expectStatus, newWorkspace, type TestWorkspace, uniqueEmail } from '../support/factories';
import { filmCode } from '../support/film';
import { type Holder, newAction, newApp, newHolder } from '../support/mobile';

describeInBrowser('the till', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'till-'));
  let browser: Browser;
  let workspace: TestWorkspace;
  let holder: Holder;

  beforeAll(async () => {
    workspace = await newWorkspace();
    const type = { code: 'beans', name: 'Beans', is_default: true, unit_plural_name: 'Beans' };
    const { id } = expectStatus(await workspace.post(':ws/wallet-types', type), 201).body.data;
    const rule = {
      name: 'Beans for purchases',
      trigger_type: 'transaction',
      active: true,
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: 'beans',
          amount_type: 'expression',
          amount_expression: 'event.amount * 1.0',
        },
      ],
    };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const reward = { name: 'A free coffee', cost_in_points: 10, wallet_type_id: id };
    expectStatus(await workspace.post(':ws/rewards', { ...reward, purchasable: true }), 200);
    const { actions } = await newApp(workspace);
    const purchase = await newAction(workspace, {
      name: 'Purchase',
      action_type: 'add_transaction',
    });
    const action_ids = [purchase, ...actions].map(({ id }) => id);
    const order = await workspace.post(':ws/mobile-app-config/actions/reorder', { action_ids });
    expectStatus(order, 200);
    holder = await newHolder(workspace, { person: { first_name: 'Frieda', last_name: null } });
    const film = path.join(folder, 'card.y4m');
    filmCode(holder.pass.barcode_value, film);
    browser = await openBrowser(film);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  /** A phone that was paired by the link of a scanned code; one without a camera stays where it is put. */
  async function pair({ hasCamera = true, moves = false } = {}): Promise<Visitor> {
    const email = uniqueEmail('staff');
    const users = ':ws/mobile-app-users';
    const { id } = expectStatus(await workspace.post(users, { email }), 201).body.data;
    const sent = await workspace.post(`${users}/${id}/send-pairing-code`, {
      delivery_method: 'none',
    });
    const { code } = expectStatus(sent, 200).body;
    const staff = await newVisitor(browser, moves ? { reducedMotion: 'no-preference' } : {});
    if (!hasCamera)
      await staff.context.addInitScript(
        'navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"))',
      );
    await staff.visit(`/till/#pair=${encodeURIComponent(email)}:${code}`);
    const { page } = staff;
    const first = hasCamera
      ? page.getByRole('group', { name: 'Number pad' })
      : page.getByRole('button', { name: 'New customer' });
    await first.waitFor();
    expect(page.url()).not.toContain(code);
    return staff;
  }
  const press = async ({ page }: Visitor, digits: string) => {
    for (const digit of digits)
      await page.getByRole('button', { name: digit, exact: true }).click();
  };
  /** As a scanner types: the keys of a code without a pause between them, however busy the machine is. */
  const scanByHand = (page: Visitor['page'], code: string) =>
    page.evaluate(
      `for (const key of [...${JSON.stringify(code)}, 'Enter'])
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
    );
  /** Once the card is found: digits and one tap, which is all that a purchase may take. */
  const enter = async (staff: Visitor, digits: string, done: RegExp) => {
    const before = staff.clicks;
    await press(staff, digits);
    await staff.click(staff.page.getByRole('button', { name: done }));
    expect(staff.clicks - before).toBe(1);
  };
  /** From now on the time of the page stands still, but for what `comes` lets go by. */
  const holdTime = async ({ page }: Visitor) => {
    const now = Date.now();
    await page.clock.install({ time: now - 600_000 });
    await page.clock.pauseAt(now);
  };
  /** Lets its time go on in small steps until that is seen: what stands for seconds only cannot be gone by then. */
  const comes = ({ page }: Visitor, text: string) =>
    until(async () => {
      // Several at a look: on a slow machine looks become rare, and the page would wait for its own time.
      for (let step = 0; step < 10; step += 1) {
        await page.clock.runFor(100);
        if (await page.getByText(text).isVisible()) return true;
      }
      return false;
    });
  const purchases = async (): Promise<number> => {
    const path = `:ws/clients/${holder.client.id}/events?event_category=transaction`;
    return expectStatus(await workspace.get(path), 200).body.data.length;
  };

  test('finds the card before its camera, records a purchase by one tap, says what it earned, and redeems', async () => {
    const staff = await pair();
    const { page } = staff;
    await page.getByRole('heading', { name: 'Frieda' }).waitFor();
    await staff.expectAccessible();
    const before = await purchases();
    const { clicks: atCard } = staff;
    await press(staff, '1280');
    await page.getByText('Will bring 12.8 Beans').waitFor();
    // The next in the queue holds a card under the scanner: its code is no amount.
    await scanByHand(page, '4006381333931');
    await page.getByText('Will bring 12.8 Beans').waitFor();
    await staff.expectAccessible();
    await staff.click(page.getByRole('button', { name: /^Add .*12\.80/ }));
    expect(staff.clicks - atCard).toBe(1);
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByText('+12.8').waitFor();
    // What is counted goes and keeps its place: the buttons below stand under a thumb by then.
    await page.getByText(/being counted/).waitFor({ state: 'hidden' });
    expect((await page.getByText(/being counted/).boundingBox())!.height).toBeGreaterThan(0);
    await staff.expectAccessible();
    expect(await purchases()).toBe(before + 1);

    await staff.click(page.getByRole('button', { name: 'Next card' }));
    const redeem = page.getByRole('button', { name: 'Redeem for 10' });
    const expectInView = async () => {
      await redeem.waitFor();
      const { y, height } = (await redeem.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
    };
    await page.getByRole('button', { name: '1 reward ready' }).waitFor();
    // A thumb does not scroll as a test's click does: it taps where the line stands, at the lower edge.
    await page.evaluate('document.querySelector(".list .line").scrollIntoView(false)');
    const line = (await page.getByRole('button', { name: /A free coffee/ }).boundingBox())!;
    await page.mouse.click(line.x + line.width / 2, line.y + line.height / 2);
    await expectInView();
    await staff.click(page.getByRole('button', { name: /A free coffee/ }));
    await redeem.waitFor({ state: 'detached' });
    const clicks = staff.clicks;
    await staff.click(page.getByRole('button', { name: '1 reward ready' }));
    await expectInView();
    await staff.click(redeem);
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByText('−10').waitFor();
    expect(staff.clicks - clicks).toBe(2);
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('says of a purchase only what it earned, though the balance moved otherwise meanwhile', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click } = staff;
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await page.getByRole('group', { name: 'Number pad' }).waitFor();
    const correction = { client_id: holder.client.id, amount: 3, wallet_type_code: 'beans' };
    const path = ':ws/loyalty/points/adjust';
    expectStatus(await workspace.post(path, { ...correction, description: 'Sorry' }), 201);
    let goOn = (): void => undefined;
    const counted = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/operations\/[^/]+\?wait/, async (route) => {
      await counted;
      await route.continue();
    });
    await enter(staff, '100', /1\.00/);
    await page.getByText(/being counted/).waitFor();
    await page.locator('.change').waitFor({ state: 'hidden' });
    goOn();
    await page.locator('.change').getByText('+1 Beans').waitFor();
    await staff.context.close();
  });

  test('goes on to the next card by itself once all is said, but not under a hand that touched it', async () => {
    const staff = await pair({ hasCamera: false, moves: true });
    const { page, click } = staff;
    const find = async () => {
      await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
      await click(page.getByRole('button', { name: 'Find' }));
      await page.getByRole('group', { name: 'Number pad' }).waitFor();
    };
    await find();
    await enter(staff, '100', /1\.00/);
    await page.getByRole('heading', { name: 'Scan a card' }).waitFor();
    await find();
    await holdTime(staff);
    await enter(staff, '100', /1\.00/);
    await comes(staff, 'The next card comes by itself.');
    await click(page.getByText('+1 Beans'));
    await page.getByText('The next card comes by itself.').waitFor({ state: 'hidden' });
    await page.clock.runFor(60_000);
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.clock.resume();
    // The hand scanner brings the next card without a tap.
    await scanByHand(page, holder.pass.barcode_value);
    await page.getByRole('heading', { name: 'Frieda' }).waitFor();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('says which rule failed, and stays until somebody has read it', async () => {
    const dear = { type: 'expression', expression: 'event.amount > 90.0' };
    const points = { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'expression' };
    const rule = {
      name: 'Riches',
      trigger_type: 'transaction',
      active: true,
      conditions: [dear],
      effects: [{ ...points, amount_expression: 'event.amount * 100000000000.0' }],
    };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    const staff = await pair({ hasCamera: false, moves: true });
    const { page, click } = staff;
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await enter(staff, '9100', /91\.00/);
    await page.getByText('The rule “Riches” could not do all it should.').waitFor();
    await page.getByText('+91 Beans').waitFor();
    expect(await page.getByText('The next card comes by itself.').isVisible()).toBe(false);
    await staff.expectAccessible();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('meets the first tap on undo, though that tap is also what holds the screen', async () => {
    const staff = await pair({ hasCamera: false, moves: true });
    const { page, click } = staff;
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await page.getByRole('group', { name: 'Number pad' }).waitFor();
    await holdTime(staff);
    await enter(staff, '100', /1\.00/);
    await comes(staff, 'The next card comes by itself.');
    await click(page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Yes, take it back' }).waitFor();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('takes a code that is typed without a network as if it was scanned, and no client by name', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click, context } = staff;
    await context.setOffline(true);
    const find = async (typed: string) => {
      await page.getByLabel(/^Name, e-mail/).fill(typed);
      await click(page.getByRole('button', { name: 'Find' }));
    };
    await find('Frieda');
    await page
      .getByRole('alert')
      .getByText(/The code of a card still works/)
      .waitFor();
    await find(holder.pass.barcode_value);
    await enter(staff, '300', /3\.00/);
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    const before = await purchases();
    await context.setOffline(false);
    await until(async () => (await purchases()) === before + 1);
    await context.close();
  });

  test('keeps what is not the main action a tap away, with a pad of its own', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click } = staff;
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await press(staff, '7');
    await click(page.getByRole('button', { name: 'Add points' }));
    await page.getByRole('heading', { name: 'Add points' }).waitFor();
    await press(staff, '3');
    await click(page.getByRole('button', { name: 'Add 3 Beans' }));
    await page.getByText('+3 Beans').waitFor();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('takes a coupon in by one tap, once, and gives it back where that was a mistake', async () => {
    const cake = { name: 'A birthday cake', cost_in_points: 0, code_pattern: 'CAKE-{RAND:6}' };
    const given = await workspace.post(':ws/rewards', cake);
    const redeem = { client_id: holder.client.id, reward_id: given.body.data.id };
    const redeemed = expectStatus(await workspace.post(':ws/rewards/redeem', redeem), 200).body
      .data;
    const { code } = redeemed.coupon;
    const staff = await pair({ hasCamera: false });
    const { page, click } = staff;
    const find = async () => {
      await page.getByLabel(/^Name, e-mail/).fill(code);
      await click(page.getByRole('button', { name: 'Find' }));
      await page.getByRole('heading', { name: 'A birthday cake' }).waitFor();
    };
    await find();
    await page.getByText('Frieda').waitFor();
    await staff.expectAccessible();
    const before = staff.clicks;
    await click(page.getByRole('button', { name: 'Take the coupon' }));
    await page.getByText('The coupon is taken.').waitFor();
    expect(staff.clicks - before).toBe(1);
    await staff.expectAccessible();
    await click(page.getByRole('button', { name: 'Undo' }));
    await click(page.getByRole('button', { name: 'Take the coupon' }));
    await page.getByText('The coupon is taken.').waitFor();
    await click(page.getByRole('button', { name: 'Next card' }));
    await find();
    await page.getByText('This coupon was used already.').waitFor();
    await page.getByRole('button', { name: 'Take the coupon' }).waitFor({ state: 'hidden' });
    await click(page.getByRole('button', { name: 'Next card' }));
    await page.getByLabel(/^Name, e-mail/).fill('no such code');
    await click(page.getByRole('button', { name: 'Find' }));
    await page.getByText('Nobody of this name or code.').waitFor();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('shows what a customer has redeemed and comes for, and hands it over once', async () => {
    const biscuit = { name: 'A biscuit', cost_in_points: 0 };
    const given = await workspace.post(':ws/rewards', biscuit);
    const redeem = { client_id: holder.client.id, reward_id: given.body.data.id };
    const redeemed = expectStatus(await workspace.post(':ws/rewards/redeem', redeem), 200).body
      .data;
    const usedAt = async () => {
      const path = `:ws/rewards/redemptions/${redeemed.redemption.id}`;
      return expectStatus(await workspace.get(path), 200).body.data.used_at;
    };
    const staff = await pair({ hasCamera: false });
    const { page, click } = staff;
    const find = async () => {
      await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
      await click(page.getByRole('button', { name: 'Find' }));
    };
    await find();
    await click(page.getByRole('button', { name: '1 to hand over' }));
    const open = page.getByRole('region', { name: 'To hand over' });
    await open.getByText('A biscuit').waitFor();
    await staff.expectAccessible();
    await click(open.getByRole('button', { name: 'Hand over' }));
    await open.getByText('Handed over.').waitFor();
    expect(await usedAt()).not.toBeNull();
    await click(open.getByRole('button', { name: 'Undo' }));
    await click(open.getByRole('button', { name: 'Hand over' }));
    await open.getByText('Handed over.').waitFor();
    // However far somebody scrolled, the way back stays on the screen.
    const back = page.getByRole('button', { name: 'Back' });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect((await back.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await click(back);
    await find();
    await page
      .getByRole('button', { name: /reward/i })
      .first()
      .waitFor();
    await open.waitFor({ state: 'hidden' });
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('takes back in two taps what was typed wrongly, and lists what it did', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click } = staff;
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await enter(staff, '9900', /99\.00/);
    await page.getByText('+99').waitFor();
    const before = staff.clicks;
    await click(page.getByRole('button', { name: 'Undo' }));
    await click(page.getByRole('button', { name: 'Yes, take it back' }));
    await page.getByRole('heading', { name: 'Taken back' }).waitFor();
    expect(staff.clicks - before).toBe(2);
    await click(page.getByRole('button', { name: 'Next card' }));
    await click(page.getByRole('button', { name: 'Done lately' }));
    await page.getByText(/ · taken back/).waitFor();
    await staff.expectAccessible();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('takes back its own of two purchases on one card, though the other is the newer one', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click, context } = staff;
    let goOn = (): void => undefined;
    const isOtherDone = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/mobile-app\/recent/, async (route) => {
      await isOtherDone;
      await route.continue();
    });
    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await click(page.getByRole('button', { name: 'Find' }));
    await enter(staff, '700', /7\.00/);
    await page.getByRole('heading', { name: 'Done' }).waitFor();

    // Another window of the same phone sells meanwhile.
    const other = await context.newPage();
    await other.goto('/till/');
    await other.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await other.getByRole('button', { name: 'Find' }).click();
    for (const digit of '800')
      await other.getByRole('button', { name: digit, exact: true }).click();
    await other.getByRole('button', { name: /8\.00/ }).click();
    await other.getByRole('heading', { name: 'Done' }).waitFor();
    await other.close();
    goOn();

    await click(page.getByRole('button', { name: 'Undo' }));
    await click(page.getByRole('button', { name: 'Yes, take it back' }));
    await page.getByRole('heading', { name: 'Taken back' }).waitFor();
    await click(page.getByRole('button', { name: 'Next card' }));
    await click(page.getByRole('button', { name: 'Done lately' }));
    const done = page.getByRole('listitem');
    await done
      .filter({ hasText: '7.00' })
      .getByText(/ · taken back/)
      .waitFor();
    await done.filter({ hasText: '8.00' }).getByRole('button', { name: 'Undo' }).waitFor();
    expect(staff.complaints).toEqual([]);
    await context.close();
  });

  test('asks again for what was done lately as soon as there is a network', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click, context } = staff;
    await context.setOffline(true);
    await click(page.getByRole('button', { name: 'Done lately' }));
    await page.getByText('No connection.').waitFor();
    await context.setOffline(false);
    await page.getByText('Nothing yet.').waitFor();
    await page.getByText('No connection.').waitFor({ state: 'hidden' });
    await context.close();
  });

  test('signs a customer up, says at its field what is wrong, and goes on to serve them', async () => {
    const staff = await pair({ hasCamera: false });
    const { page } = staff;
    await staff.click(page.getByRole('button', { name: 'New customer' }));
    await page.getByLabel('First name').fill('Bo');
    await page.getByLabel('E-mail address').fill(holder.client.email);
    await staff.click(page.getByRole('button', { name: 'Sign up' }));
    await page.getByText(/has this address already/).waitFor();
    await staff.expectAccessible();
    expect(await page.getByLabel('First name').inputValue()).toBe('Bo');
    await page.getByLabel('E-mail address').fill(uniqueEmail('new'));
    await staff.click(page.getByRole('button', { name: 'Sign up' }));
    await page.getByRole('heading', { name: 'Welcome, Bo' }).waitFor();
    await staff.expectAccessible();
    await staff.click(page.getByRole('button', { name: 'Serve this customer' }));
    await page.getByRole('heading', { name: 'Bo', exact: true }).waitFor();
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('keeps a purchase without a network, through a reload, and sends it once', async () => {
    const staff = await pair();
    const { page, context } = staff;
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await until(() => page.evaluate('navigator.serviceWorker.controller !== null'), {
      what: 'the service worker to take the page over',
    });
    const before = await purchases();
    await context.setOffline(true);
    await page.reload();
    await page.getByText('No network', { exact: true }).waitFor();
    await enter(staff, '500', /5\.00/);
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    await staff.expectAccessible();
    await page.reload();
    await page.getByRole('button', { name: '1 waiting' }).waitFor();

    // The first sending arrives, but its answer does not.
    let isLost = false;
    await context.route('**/execute', async (route) => {
      const answer = await route.fetch();
      if (isLost) return route.fulfill({ response: answer });
      isLost = true;
      await route.abort('connectionreset');
    });
    await context.setOffline(false);
    await until(async () => isLost, { what: 'the wish to be sent' });
    await page.reload();
    await until(async () => (await page.getByRole('button', { name: '1 waiting' }).count()) === 0, {
      what: 'the wish to be answered',
    });
    expect(await purchases()).toBe(before + 1);
    await context.close();
  });

  test('gives a booking of a mistyped code to the right customer, as it was entered, once, and takes back what was not sent', async () => {
    const staff = await pair({ hasCamera: false });
    const { page, click, context } = staff;
    const find = async (typed: string) => {
      await page.getByLabel(/^Name, e-mail/).fill(typed);
      await click(page.getByRole('button', { name: 'Find' }));
    };
    await context.setOffline(true);
    await find('mistyped-1');
    await enter(staff, '200', /2\.00/);
    await click(page.getByRole('button', { name: 'Do not send it' }));
    await page.getByRole('heading', { name: 'Scan a card' }).waitFor();
    await page.getByRole('button', { name: /waiting/ }).waitFor({ state: 'hidden' });
    await find('mistyped-2');
    await enter(staff, '700', /7\.00/);
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    await click(page.getByRole('button', { name: 'Next card' }));
    const before = await purchases();
    await context.setOffline(false);
    await click(page.getByRole('button', { name: '1 needs a look' }));
    await click(page.getByRole('button', { name: 'To another customer' }));
    await staff.expectAccessible();
    await find('Frieda');
    await click(page.getByRole('button', { name: /Frieda/ }));
    await page.getByRole('heading', { name: 'Is it for Frieda?' }).waitFor();
    await page.getByText(/Purchase.*7\.00/).waitFor();
    await staff.expectAccessible();
    await click(page.getByRole('button', { name: 'Yes, do it now' }));
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByText('+7 Beans').waitFor();
    // What was counting is gone, and the button that stood below it stands where it stood.
    await page.getByText(/being counted/).waitFor({ state: 'hidden' });
    expect(await purchases()).toBe(before + 1);
    await page.getByRole('button', { name: /needs a look/ }).waitFor({ state: 'hidden' });
    await context.close();
  });

  test('works without a network also where its address was typed by hand', async () => {
    const staff = await newVisitor(browser);
    const { page } = staff;
    await staff.visit('/till');
    await page.waitForURL('**/till/');
    await page.getByRole('heading', { name: 'Make this phone a till' }).waitFor();
    await until(() => page.evaluate('navigator.serviceWorker.controller !== null'), {
      what: 'the service worker to take the page over',
    });
    expect(staff.complaints).toEqual([]);
    await staff.context.close();
  });

  test('queues no refusal that was read, and shows an unread one until it is dealt with', async () => {
    const staff = await pair();
    const { page, context } = staff;
    await page.getByRole('heading', { name: 'Frieda' }).waitFor();
    await context.route('**/execute', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] }),
      }),
    );
    await enter(staff, '100', /1\.00/);
    await page.getByRole('heading', { name: 'Not done' }).waitFor();
    const look = page.getByRole('button', { name: '1 needs a look' });
    await look.waitFor({ state: 'hidden' });
    await staff.click(page.getByRole('button', { name: 'Next card' }));
    await enter(staff, '100', /1\.00/);
    await page.getByRole('heading', { name: 'Not done' }).waitFor();
    // The page goes before anybody says that they have read it: of the two refusals, this one stays.
    await page.reload();
    // The camera has found the card by then, and brings nothing over what is looked at.
    await page.getByRole('heading', { name: 'Frieda' }).waitFor();
    await staff.click(look);
    await staff.expectAccessible();
    await page.getByText('You are not permitted to do this.').waitFor();
    await staff.click(page.getByRole('button', { name: 'Dealt with' }));
    await page.getByText('Everything is sent.').waitFor();
    expect(staff.complaints).toEqual([]);
    await context.close();
  });
});

import { until } from '@laurel/testing';
import type { Caller } from './support/api';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';
import { newPass } from './support/passes';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  const type = { code: 'points', name: 'Points', allow_negative_balance: true };
  expectStatus(await workspace.post(':ws/wallet-types', type), 201);
  const rule = {
    name: 'One per euro',
    trigger_type: 'transaction',
    effects: [
      {
        type: 'earn_points',
        wallet_type_code: 'points',
        amount_type: 'expression',
        amount_expression: 'event.amount',
      },
    ],
  };
  expectStatus(await workspace.post(':ws/automations', rule), 201);
});

interface Member {
  id: string;
  sale(amount: number, more?: object): Promise<string>;
  refund(amount: number, more?: object): Promise<{ refund_link: string | null }>;
  balance(): Promise<number>;
  has(balance: number): Promise<void>;
}

async function newMember(owner: Caller): Promise<Member> {
  const { id } = await newClient(owner);
  const pass_id = await newPass(owner, id);
  const tell = async (event_type: string, amount: number, more: object) => {
    const event = { pass_id, event_category: 'transaction', event_type, amount, currency: 'EUR' };
    return expectStatus(await owner.post('/events', { ...event, ...more }), 200).body.data;
  };
  const balance = async () =>
    expectStatus(await owner.get(`:ws/clients/${id}/wallets`), 200).body.data[0].wallet
      .active_balance;
  return {
    id,
    sale: async (amount, more = {}) => {
      const before = await balance();
      const { id: sold } = await tell('purchase', amount, more);
      const after = Math.round((before + amount) * 100) / 100;
      await until(async () => (await balance()) === after, { what: 'the points' });
      return sold;
    },
    refund: (amount, more = {}) => tell('refund', amount, more),
    balance,
    has: async (wanted) => {
      await until(async () => (await balance()) === wanted, { what: `a balance of ${wanted}` });
    },
  };
}

test('a refund takes from no other whose order has the same number', async () => {
  const [early, late] = await Promise.all([newMember(workspace), newMember(workspace)]);
  const metadata = { order_id: '1001' };
  await early.sale(80, { metadata });
  await late.sale(20, { metadata });
  expect(await late.refund(20, { metadata })).toMatchObject({ refund_link: 'linked' });
  await late.has(0);
  expect(await early.balance()).toBe(80);
});

test('a refund of a split payment takes what was refunded, from all parts together', async () => {
  const member = await newMember(workspace);
  const metadata = { order_id: 'split' };
  await member.sale(100, { metadata });
  await member.sale(50, { metadata });
  await member.refund(50, { metadata });
  await member.has(100);
  await member.refund(100, { metadata });
  await member.has(0);
});

test('numbers and their text are the same name', async () => {
  const member = await newMember(workspace);
  await member.sale(100, { metadata: { transaction_id: 9 } });
  const named = { metadata: { original_transaction_id: '9' } };
  expect(await member.refund(40, named)).toMatchObject({ refund_link: 'linked' });
  await member.has(60);
});

test('a sale may be named by a number, which is kept as its text', async () => {
  const member = await newMember(workspace);
  const number = Date.now();
  await member.sale(10, { external_id: number });
  expect(await member.refund(4, { original_external_id: number })).toMatchObject({
    refund_link: 'linked',
    original_external_id: String(number),
  });
  await member.has(6);
  expect(await member.refund(6, { original_external_id: String(number) })).toMatchObject({
    refund_link: 'linked',
  });
  await member.has(0);
});

test('nothing is guessed: what fits no sale or is more than what is left takes nothing', async () => {
  const member = await newMember(workspace);
  await member.sale(30, { external_id: `till-${member.id}` });
  const of = (original_external_id: string) => ({ original_external_id });
  const own = of(`till-${member.id}`);
  expect(await member.refund(10)).toMatchObject({ refund_link: null });
  expect(await member.refund(10, of('never'))).toMatchObject({ refund_link: 'not_found' });
  expect(await member.refund(31, own)).toMatchObject({ refund_link: 'exceeds' });
  expect(await member.refund(20, own)).toMatchObject({
    refund_link: 'linked',
    original_external_id: `till-${member.id}`,
  });
  expect(await member.refund(11, own)).toMatchObject({ refund_link: 'exceeds' });
  await member.has(10);
});

test('two refunds at once never share what is left of one sale', async () => {
  const member = await newMember(workspace);
  const sold = await member.sale(10);
  const named = { metadata: { original_event_id: sold } };
  const links = await Promise.all(Array.from({ length: 6 }, () => member.refund(4, named)));
  const count = (state: string) => links.filter(({ refund_link }) => refund_link === state).length;
  expect([count('linked'), count('exceeds')]).toEqual([2, 4]);
  await member.has(2);
});

test('original_external_id belongs to refunds', async () => {
  const pass_id = await newPass(workspace, (await newClient(workspace)).id);
  const event = { pass_id, event_category: 'transaction', amount: 1, currency: 'EUR' };
  const sent = { ...event, event_type: 'purchase', original_external_id: 'x' };
  const { body } = expectStatus(await workspace.post('/events', sent), 400);
  expect(body.errors[0].extensions.field).toBe('original_external_id');
});

test('whatever members buy and bring back under shared numbers, each loses what their own sale earned', async () => {
  const members = await Promise.all([1, 2, 3].map(() => newMember(workspace)));
  // A small generator with a fixed seed: the story is the same each time.
  let state = 42;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const books = members.map(() => new Map<string, { paid: number; left: number }>());
  const balances: [number, number, number] = [0, 0, 0];
  for (let step = 0; step < 24; step += 1) {
    const who = below(3) as 0 | 1 | 2;
    const member = members[who]!;
    const order = String(below(3));
    const amount = (1 + below(4_000)) / 100;
    const cents = Math.round(amount * 100);
    const book = books[who]!.get(order) ?? { paid: 0, left: 0 };
    if (below(2) === 0) {
      await member.sale(amount, { metadata: { order_id: order } });
      books[who]!.set(order, { paid: book.paid + cents, left: book.left + cents });
      balances[who] += cents;
    } else {
      const { refund_link } = await member.refund(amount, {
        metadata: { order_id: Number(order) },
      });
      const wanted = book.paid === 0 ? 'not_found' : cents > book.left ? 'exceeds' : 'linked';
      expect(refund_link).toBe(wanted);
      if (wanted === 'linked') {
        books[who]!.set(order, { ...book, left: book.left - cents });
        balances[who] -= cents;
        await member.has(balances[who] / 100);
      }
    }
  }
  for (const [index, member] of members.entries()) await member.has(balances[index]! / 100);
});

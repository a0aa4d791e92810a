import { until } from '@laurel/testing';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { newPass } from './support/passes';

/**
 * The books as an accountant keeps them: every movement is written down here beside the call that makes it, added up in
 * ten-thousandths, and compared with what the platform says of it.
 */

const points = ':ws/loyalty/points';
const BUCKETS = ['active', 'pending', 'locked'] as const;
const DEBITS = [
  'spent',
  'expired',
  'adjusted_debits',
  'cancelled_debits',
  'refunded',
  'transferred_out',
  'breakage',
] as const;
const CREDITS = ['earned', 'adjusted_credits', 'cancelled_credits', 'transferred_in'] as const;
type Figure = (typeof DEBITS)[number] | (typeof CREDITS)[number];
type Bucket = (typeof BUCKETS)[number];

const units = (amount: number): number => Math.round(amount * 10_000);
const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + units(amount), 0) / 10_000;

class Books {
  private readonly noted: { client: string; figure: Figure; amount: number; bucket: Bucket }[] = [];
  private readonly moved: { client: string; from: Bucket; to: Bucket; amount: number }[] = [];

  note(client: string, figure: Figure, amount: number, bucket: Bucket = 'active'): void {
    this.noted.push({ client, figure, amount, bucket });
  }

  /** Within a wallet: no figure but matured, which this scene has none of. */
  move(client: string, from: Bucket, to: Bucket, amount: number): void {
    this.moved.push({ client, from, to, amount });
  }

  total(figure: Figure): number {
    return sum(this.noted.filter((row) => row.figure === figure).map(({ amount }) => amount));
  }

  balance(bucket: Bucket, client?: string): number {
    const own = <Row extends { client: string }>(rows: readonly Row[]) =>
      rows.filter((row) => client === undefined || row.client === client);
    const signed = own(this.noted)
      .filter((row) => row.bucket === bucket)
      .map(({ figure, amount }) =>
        (CREDITS as readonly string[]).includes(figure) ? amount : -amount,
      );
    const within = own(this.moved).flatMap(({ from, to, amount }) => [
      ...(to === bucket ? [amount] : []),
      ...(from === bucket ? [-amount] : []),
    ]);
    return sum([...signed, ...within]);
  }

  balances(client?: string) {
    const each = Object.fromEntries(BUCKETS.map((one) => [one, this.balance(one, client)]));
    return { ...each, total: sum(Object.values(each)) };
  }
}

const books = new Books();
let shop: TestWorkspace;
let people: Record<'anna' | 'ben' | 'carl' | 'dora' | 'emil', string>;
/** Between the first part of the scene and the second. */
let noon: string;

const act = async (operation: string, body: object) =>
  expectStatus(await shop.post(`${points}/${operation}`, body), 201).body.data;
const statement = async (query: Record<string, string> = {}) => {
  const asked = { wallet_type_code: 'points', ...query };
  return expectStatus(await shop.get(`${points}/statement`, asked), 200).body.data;
};
const activeOf = async (id: string): Promise<number> => {
  const { data } = expectStatus(await shop.get(`:ws/clients/${id}/wallets`), 200).body;
  const own = data.find(
    (one: { wallet_type: { code: string } }) => one.wallet_type.code === 'points',
  );
  return own.wallet.active_balance;
};

async function earn(client_id: string, amount: number, more: object = {}) {
  const entry = await act('earn', { client_id, amount, wallet_type_code: 'points', ...more });
  books.note(client_id, 'earned', amount, 'pending_days' in more ? 'pending' : 'active');
  return entry;
}

async function spend(client_id: string, amount: number) {
  const entry = await act('spend', { client_id, amount, wallet_type_code: 'points' });
  books.note(client_id, 'spent', amount);
  return entry;
}

async function adjust(client_id: string, amount: number) {
  const description = 'counted again';
  await act('adjust', { client_id, amount, description, wallet_type_code: 'points' });
  books.note(client_id, amount > 0 ? 'adjusted_credits' : 'adjusted_debits', Math.abs(amount));
}

/** What the members did before noon: earning, spending, holding, giving, taking back. */
async function morning() {
  const { anna, ben, carl, dora, emil } = people;
  await earn(anna, 100.1234);
  for (let time = 0; time < 10; time += 1) await earn(anna, 0.1);
  await earn(ben, 50, { pending_days: 5 });
  const bought = await spend(anna, 30.3333);
  await act(`ledger/${bought.id}/cancel`, { reason: 'brought back' });
  books.note(anna, 'cancelled_credits', 30.3333);
  await spend(anna, 20.0001);
  const slip = await earn(carl, 9.99);
  await act(`ledger/${slip.id}/cancel`, { reason: 'a slip' });
  books.note(carl, 'cancelled_debits', 9.99);
  await adjust(carl, 7.5);
  await adjust(carl, -5.25);
  const { id: held } = await act('lock', {
    client_id: anna,
    amount: 10,
    wallet_type_code: 'points',
  });
  books.move(anna, 'active', 'locked', 10);
  await act(`locks/${held}/capture`, { amount: 4 });
  books.move(anna, 'locked', 'active', 10);
  books.note(anna, 'spent', 4);
  await act('lock', { client_id: anna, amount: 3, wallet_type_code: 'points' });
  books.move(anna, 'active', 'locked', 3);
  const given = { from_client_id: anna, to_client_id: ben, amount: 12.5 };
  await act('transfer', { ...given, wallet_type_code: 'points' });
  books.note(anna, 'transferred_out', 12.5);
  books.note(ben, 'transferred_in', 12.5);
  await spend(dora, 8.75);
  await earn(emil, 40);
  await earn(emil, 2, { pending_days: 3 });
}

/** A purchase in two parts under one number, and two refunds of it: 60 and 30 of 100 paid, 200 points earned. */
async function splitPayment() {
  const { carl } = people;
  const rule = {
    name: 'Two per euro',
    trigger_type: 'transaction',
    effects: [
      {
        type: 'earn_points',
        wallet_type_code: 'points',
        amount_type: 'expression',
        amount_expression: 'floor(event.amount * 100) / 50',
      },
    ],
  };
  expectStatus(await shop.post(':ws/automations', rule), 201);
  const pass_id = await newPass(shop, carl);
  const tell = async (event_type: string, amount: number) => {
    const told = { pass_id, event_category: 'transaction', event_type, amount, currency: 'EUR' };
    const metadata = { order_id: 1001 };
    return expectStatus(await shop.post('/events', { ...told, metadata }), 200).body.data;
  };
  for (const [event_type, amount] of [
    ['purchase', 95.65],
    ['purchase', 4.35],
    ['refund', 60],
    ['refund', 30],
  ] as const) {
    const { refund_link } = await tell(event_type, amount);
    if (event_type === 'refund') expect(refund_link).toBe('linked');
    books.note(carl, event_type === 'refund' ? 'refunded' : 'earned', amount * 2);
    const due = books.balance('active', carl);
    await until(async () => (await activeOf(carl)) === due, { what: `${due} points` });
  }
}

/** Two who go: one with points and pending points, one whose points were taken along by a merge before. */
async function goodbyes() {
  const { dora, emil, ben, carl } = people;
  expectStatus(await shop.post(`:ws/clients/${emil}/anonymize`), 200);
  books.note(emil, 'breakage', 40);
  books.note(emil, 'breakage', 2, 'pending');
  await adjust(dora, 20);
  expectStatus(await shop.del(`:ws/clients/${dora}`), 200);
  books.note(dora, 'breakage', 11.25);
  const merged = { source_client_id: carl, target_client_id: ben };
  const taken = books.balance('active', carl);
  expectStatus(await shop.post(':ws/clients/merge', merged), 200);
  books.note(carl, 'transferred_out', taken);
  books.note(ben, 'transferred_in', taken);
  const totals = books.balances();
  await until(async () => (await statement()).closing.total === totals.total, {
    what: 'the wallets of who went to be closed',
  });
}

beforeAll(async () => {
  shop = await newWorkspace();
  await newWalletType(shop, { code: 'points', allow_negative_balance: true });
  await newWalletType(shop, { code: 'stamps' });
  const [anna, ben, carl, dora, emil] = await Promise.all(
    Array.from({ length: 5 }, async () => (await newClient(shop)).id as string),
  );
  people = { anna: anna!, ben: ben!, carl: carl!, dora: dora!, emil: emil! };
  await act('earn', { client_id: anna, amount: 3, wallet_type_code: 'stamps' });
  await morning();
  const { created_at } = await earn(people.ben, 1);
  noon = new Date(Date.parse(created_at) + 1).toISOString();
  const before = books.balances();
  expect((await statement({ to_date: noon })).closing).toEqual(before);
  await splitPayment();
  await goodbyes();
  expect((await statement({ from_date: noon })).opening).toEqual(before);
});

test('each figure of the statement is what was done, and opening, credits and debits make closing', async () => {
  const told = await statement();
  const own = Object.fromEntries([...CREDITS, ...DEBITS].map((name) => [name, books.total(name)]));
  expect(told).toMatchObject({ ...own, matured: 0, closing: books.balances(), debts: 0 });
  const credits = sum(CREDITS.map((name) => told[name]));
  const debits = sum(DEBITS.map((name) => told[name]));
  expect(told.closing.total).toBe(sum([told.opening.total, credits, -debits]));
  const [early, late] = [await statement({ to_date: noon }), await statement({ from_date: noon })];
  for (const name of [...CREDITS, ...DEBITS])
    expect(sum([early[name], late[name]])).toBe(told[name]);
});

test('the CSV says the same, figure by figure', async () => {
  const asked = { wallet_type_code: 'points', format: 'csv' };
  const { text } = expectStatus(await shop.get(`${points}/statement`, asked), 200);
  const rows = new Map(
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',') as [string, string]),
  );
  const told = await statement();
  for (const name of [...CREDITS, ...DEBITS]) expect(Number(rows.get(name))).toBe(told[name]);
});

test('the wallets, the ledger, the members’ statements and the liability add up to the closing', async () => {
  const { closing } = await statement();
  const members = [people.anna, people.ben];
  const wallets = await Promise.all(
    members.map(async (id) => {
      const { data } = expectStatus(await shop.get(`:ws/clients/${id}/wallets`), 200).body;
      return data.find(
        (one: { wallet_type: { code: string } }) => one.wallet_type.code === 'points',
      ).wallet;
    }),
  );
  for (const bucket of BUCKETS)
    expect(sum(wallets.map((wallet) => wallet[`${bucket}_balance`]))).toBe(closing[bucket]);
  for (const [index, id] of members.entries()) {
    const path = `${points}/statement/${id}`;
    const own = expectStatus(await shop.get(path, { wallet_type_code: 'points' }), 200).body.data;
    expect(own.closing).toEqual(books.balances(id));
    expect(own.closing.active).toBe(wallets[index].active_balance);
  }
  const { by_wallet_type } = expectStatus(await shop.get(`${points}/summary`), 200).body.data;
  const summary = by_wallet_type.find(
    (one: { wallet_type_code: string }) => one.wallet_type_code === 'points',
  );
  expect(summary).toMatchObject({
    active_liability: closing.active,
    pending_liability: closing.pending,
    locked: closing.locked,
  });
  expect(by_wallet_type).toContainEqual(
    expect.objectContaining({ wallet_type_code: 'stamps', earned: 3, active_liability: 3 }),
  );
});

test('what a member owes stands apart, and the liability does not hide it', async () => {
  const before = await statement();
  const { id } = await newClient(shop);
  await spend(id, 6.6);
  const after = await statement();
  expect(after).toMatchObject({ debts: 6.6, wallets: before.wallets + 1 });
  expect(after.closing.active).toBe(sum([before.closing.active, -6.6]));
  expectStatus(await shop.del(`:ws/clients/${id}`), 200);
  await until(async () => (await statement()).debts === 0, { what: 'the debt to be written off' });
  expect((await statement()).closing).toEqual(before.closing);
});

test.each(['statement', 'summary'])(
  'a %s of a time that ends before it begins is refused',
  async (name) => {
    const backwards = {
      from_date: '2026-02-01',
      to_date: '2026-01-01',
      wallet_type_code: 'points',
    };
    const refused = expectStatus(await shop.get(`${points}/${name}`, backwards), 400);
    expect(refused.body.errors[0].extensions.field).toBe('to_date');
  },
);

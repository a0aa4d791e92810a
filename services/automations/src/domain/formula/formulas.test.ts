import { type Facts, variablesOf } from '../facts';
import { trigger } from '../trigger';
import { FormulaFailed, Formulas } from './formulas';

const formulas = new Formulas();
const CODES = ['points', 'stars'];
const now = new Date('2026-03-01T09:00:00.000Z');

const facts: Facts = {
  client: {
    id: 'c',
    workspace_id: 'w',
    first_name: 'Ada',
    last_name: null,
    email: 'ada@mail.example',
    phone: null,
    birth_date: '1990-03-01',
    status: 'active',
    marketing_consent: true,
    marketing_consent_at: null,
    marketing_consent_source: null,
    marketing_consent_text: null,
    source: null,
    loyalty_program_enabled: true,
    registration_date: '2026-01-30T12:00:00.000Z',
    date_created: '2026-01-30T12:00:00.000Z',
    custom_fields: { city: 'Rome', visits: 3, pet: null },
  },
  wallets: {
    points: { active: 120, pending: 5, locked: 0, earned: 200, spent: 80, expired: 0 },
    stars: { active: 0, pending: 0, locked: 0, earned: 0, spent: 0, expired: 0 },
  },
  tier: { id: 't', name: 'Gold', level: 2, isAssigned: false },
  foreseen: [],
  foreseenGifts: [],
  inactiveWallets: [],
  metrics: {
    transaction_count: 4,
    total_spending: 99.5,
    points_earned: 200,
    referrals_completed: 1,
    days_since_last_transaction: null,
  },
  now,
  timeZone: 'UTC',
};
const purchase = trigger({
  type: 'transaction',
  eventId: 'e',
  eventType: 'purchase',
  eventCategory: 'transaction',
  clientId: 'c',
  at: now,
  amount: 12.7,
  currency: 'EUR',
  metadata: { channel: 'app', items: [{ sku: 'a' }, { sku: 'b' }] },
});
const value = (expression: string) => formulas.evaluate(expression, variablesOf(facts, purchase));

describe('a formula', () => {
  test.each([
    ['floor(event.amount) * 2', 24],
    ['event.amount * 2', 25.4],
    ['round(event.amount)', 13],
    ['round(-2.5)', -3],
    ['round(event.amount / 3, 2)', 4.23],
    ['ceil(0.1) + min(3, 2.5) + max(1, event.amount)', 16.2],
    ['clamp(event.amount, 0, 10)', 10],
    ['percent(metrics.total_spending, 10)', 9.95],
    ['wallet.points.active >= 100 && tier.level > 1', true],
    ['tier.name == "Gold" ? 5 : 1', 5],
    ['client.age', 36],
    ['isBirthday(client.birth_date)', true],
    ['daysBetween(client.registration_date, now)', 29],
    ['client.days_since_registration', 29],
    ['weekday(now)', 7],
    ['weekday(now) == 7', true],
    ['weekday(now) in [6, 7]', true],
    ['hour(now)', 9],
    ['metrics.transaction_count == 4', true],
    ['tier.level == 2', true],
    ['wallet.stars.active == 0', true],
    ['client.age == 36', true],
    ['percent(event.amount, 10) == 1.27', true],
    ['event.amount % 10', 2.7],
    ['event.amount > 50 ? 10 : event.amount', 12.7],
    ['min(4, event.amount, 3, 7)', 3],
    [`max(${Array.from({ length: 50 }, (_, index) => index).join(', ')})`, 49],
    ['sum([event.amount, 0.3])', 13],
    ['client.custom_fields.city == "Rome"', true],
    ['coalesce(client.custom_fields.pet, "none")', 'none'],
    ['coalesce(client.last_name, client.first_name)', 'Ada'],
    ['event.metadata.items.exists(item, item.sku == "b")', true],
    ['size(event.metadata.items) * 2', 4],
    ['size(event.metadata.items)', 2],
    ['now', '2026-03-01T09:00:00.000Z'],
    ['"since " + string(now)', 'since 2026-03-01T09:00:00.000Z'],
    ['[tier.name, client.first_name]', ['Gold', 'Ada']],
    ['isBirthday("1990-03-01T23:30:00Z")', true],
    ['isBirthday(timestamp("1990-03-01T23:30:00Z"))', true],
    ['isBirthday("1990-03-02T00:00:00Z")', false],
    ['isBirthday("unknown")', false],
    ['daysBetween("unknown", now) < 0 || daysBetween("unknown", now) >= 0', false],
    ['daysBetween(now, "unknown") < 0 || daysBetween(now, "unknown") >= 0', false],
    ['weekday("unknown") > 0', false],
    ['hour("unknown") >= 0', false],
    ['client.email.endsWith(".example")', true],
  ])('%s is %p', (expression, expected) => {
    expect(formulas.check(expression, CODES)).toMatchObject({ valid: true });
    expect(value(expression)).toEqual(expected);
  });

  test('takes what is not there as null, and fails for none of it', () => {
    expect(value('coalesce(event.metadata.qty, 5)')).toBe(5);
    expect(value('coalesce(event.metadata.cart.total, 7 - 2)')).toBe(5);
    expect(value('client.custom_fields.zzz == "Rome"')).toBe(false);
    expect(value('client.custom_fields.zzz == null')).toBe(true);
    expect(value('client.last_name == null')).toBe(true);
    expect(value('client.birth_date == null')).toBe(false);
    expect(value('client.marketing_consent_at == null')).toBe(true);
    expect(value('client.marketing_consent_at > client.date_created')).toBe(false);
    expect(value('client.marketing_consent_source == ""')).toBe(true);
    expect(value('client.date_created <= now')).toBe(true);
    expect(value('event.metadata.constructor')).toBeNull();
  });

  test('goes by the time zone of the rule', () => {
    const late = {
      ...facts,
      now: new Date('2026-03-02T05:25:00.000Z'),
      timeZone: 'America/Los_Angeles',
    };
    const there = (expression: string) =>
      formulas.evaluate(expression, variablesOf(late, purchase));
    expect(there('isBirthday(client.birth_date)')).toBe(true);
    expect(there('weekday(now)')).toBe(7);
    expect(there('hour(now)')).toBe(21);
    expect(there('client.age')).toBe(36);
  });

  test('compares with what is not known to nothing', () => {
    expect(value('metrics.days_since_last_transaction > 30')).toBe(false);
    expect(value('metrics.days_since_last_transaction < 30')).toBe(false);
    expect(value('coalesce(metrics.days_since_last_transaction, 999)')).toBe(999);
  });

  test.each([
    ['foo + 1', 'Unknown variable: foo', 0],
    ['1 + wallet.gold.active', 'No such key: gold', 11],
    ['event.amount + "x"', 'no such overload: double + string', 0],
    ['1 +', 'Unexpected token: EOF', 3],
    ['', 'the formula is empty', 0],
    ['client.__proto__', 'No such key: __proto__', 7],
    ['min()', "found no matching overload for 'min()'", 0],
  ])('%s is refused, with its place', (expression, message, position) => {
    const verdict = formulas.check(expression, CODES);
    expect(verdict).toEqual({ valid: false, error: { message, position } });
  });

  test('must give what is expected', () => {
    expect(formulas.check('1 + 1', CODES, 'number')).toEqual({ valid: true, returnType: 'number' });
    expect(formulas.check('"a"', CODES, 'number')).toEqual({
      valid: false,
      error: { message: 'the formula gives string, not number', position: 0 },
    });
    expect(formulas.check('event.metadata.n', CODES, 'number')).toMatchObject({ valid: true });
    expect(formulas.check('client.age > 1', CODES, 'boolean')).toMatchObject({ valid: true });
  });

  test('that could hold up everybody else is refused', () => {
    expect(formulas.check('client.email.matches("(a+)+$")', CODES)).toMatchObject({
      valid: false,
      error: { message: expect.stringContaining('matches() is not available') },
    });
    expect(() => value('client.email.matches("(a+)+$")')).toThrow(FormulaFailed);
    const nested = 'event.metadata.items.all(x, event.metadata.items.all(y, x == y))';
    expect(formulas.check(nested, CODES)).toMatchObject({ valid: false });
    expect(formulas.check(`1${' + 1'.repeat(400)}`, CODES)).toMatchObject({ valid: false });
    expect(formulas.check('1'.repeat(2_001), CODES)).toMatchObject({ valid: false });
  });

  test('that fails when asked says why', () => {
    expect(() => value('event.amount / metrics.points_earned * 0 / 0')).toThrow(FormulaFailed);
    expect(() => value('event.amount / 0')).toThrow(/division by zero/);
    expect(() => value('client')).toThrow(
      new FormulaFailed('a formula must give a number, a text, a boolean, a moment or a list'),
    );
    expect(() => value('client')).toThrow(expect.objectContaining({ name: 'FormulaFailed' }));
  });

  test('that fails over a text which no store takes says why without what cannot be kept', () => {
    const failing = (note: string) => () =>
      formulas.evaluate(
        'bool(event.metadata.note)',
        variablesOf(facts, { ...purchase, metadata: { note } }),
      );
    expect(failing('a\0b\ud800c😀')).toThrow(
      new FormulaFailed('bool() conversion error: invalid string value "abc😀"'),
    );
    const long = expect.objectContaining({ message: expect.stringMatching(/^.{1000}$/) });
    expect(failing('x'.repeat(5_000))).toThrow(long);
  });
});

describe('the formulas of a workspace', () => {
  const inWallets = (...codes: string[]) => {
    const wallets = Object.fromEntries(codes.map((code) => [code, facts.wallets.points!]));
    return variablesOf({ ...facts, wallets }, purchase);
  };

  test('may call every function, whether there are wallets or none', () => {
    const fresh = new Formulas();
    for (const call of ['isBirthday("1990-03-01")', 'daysBetween(now, "2026-03-03") == 1'])
      expect(fresh.evaluate(call, inWallets())).toBe(true);
    expect(fresh.check('weekday(now) + hour("2026-03-01T09:00:00Z")', [], 'number')).toMatchObject({
      valid: true,
    });
  });

  test('find wallets empty whose type is switched off, as conditions do, and go on', () => {
    const stamps = 'floor(event.amount) + (wallet.stamps.active >= 10 ? 5.0 : 0.0)';
    const off = variablesOf({ ...facts, inactiveWallets: ['stamps'] }, purchase);
    expect(new Formulas().evaluate(stamps, off)).toBe(Math.floor(purchase.amount!));
    expect(new Formulas().evaluate('wallet.stamps.earned + wallet.points.active', off)).toBe(120);
  });

  test('know its own wallets only, also where codes of another read the same in a row', () => {
    const fresh = new Formulas();
    const [one, other] = [inWallets('ab'), inWallets('a', 'b')];
    expect(fresh.evaluate('wallet.ab.active', one)).toBe(120);
    expect(() => fresh.evaluate('wallet.ab.active', other)).toThrow(/No such key: ab/);
    expect(fresh.evaluate('wallet.b.active', other)).toBe(120);
    expect(fresh.check('wallet.ab.active', ['a', 'b'])).toMatchObject({ valid: false });
    expect(fresh.check('wallet.ab.active', ['ab'])).toMatchObject({ valid: true });
  });
});

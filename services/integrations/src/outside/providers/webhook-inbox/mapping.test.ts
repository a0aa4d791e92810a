import { Unreadable } from '../../../domain/read-event';
import { applyMapping, complaintsAboutMapping, type Mapping } from './mapping';

const base: Mapping = {
  event_category: '"transaction"',
  event_type: 'body.refunded ? "refund" : "purchase"',
  email: 'body.customer.email',
};
const body = {
  id: 1001,
  refunded: false,
  total: 12.5,
  cents: 1_250,
  text: '12.50',
  blank: ' ',
  at: 1_767_225_600,
  customer: { email: ' ada@mail.example ', phone: 4_915_112_345 },
  items: [{ sku: 'a' }, { sku: 'b' }],
  lines: [
    { price: 0.1, qty: 3 },
    { price: 0.3, qty: 1 },
  ],
};
const headers = { 'x-channel': 'web' };
const apply = (mapping: Mapping) => applyMapping({ ...base, ...mapping }, { body, headers });

describe('a mapping', () => {
  test('makes an event of what arrived', () => {
    const event = apply({
      amount: 'body.cents / 100',
      external_id: '"shop:" + string(body.id)',
      currency: '"EUR"',
      event_timestamp: 'timestamp("2026-01-01T00:00:00Z")',
      metadata: '{"channel": headers["x-channel"], "skus": body.items.map(item, item.sku)}',
    });
    expect(event).toEqual({
      eventCategory: 'transaction',
      eventType: 'purchase',
      amount: 12.5,
      currency: 'EUR',
      externalId: 'shop:1001',
      eventTimestamp: '2026-01-01T00:00:00.000Z',
      metadata: { channel: 'web', skus: ['a', 'b'] },
      client: [{ by: 'email', value: 'ada@mail.example' }],
    });
  });

  test.each<[keyof Mapping, string, string, unknown]>([
    ['external_id', 'body.id', 'externalId', '1001'],
    ['amount', 'body.text', 'amount', 12.5],
    ['amount', 'body.total * 2', 'amount', 25],
    ['event_timestamp', 'body.at', 'eventTimestamp', '2026-01-01T00:00:00.000Z'],
    ['event_timestamp', 'body.at * 1000', 'eventTimestamp', '2026-01-01T00:00:00.000Z'],
    ['metadata', 'body.customer', 'metadata', body.customer],
    ['currency', 'body.currency', 'currency', undefined],
    ['amount', 'body.missing.amount', 'amount', undefined],
    ['amount', 'body.missing * 0.01', 'amount', undefined],
    ['external_id', '"shop:" + string(body.missing)', 'externalId', undefined],
    ['amount', 'body.total * 3 * 0.1', 'amount', 3.75],
    ['amount', 'round(body.total / 3, 2)', 'amount', 4.17],
    ['amount', 'sum(body.lines.map(line, line.price * line.qty))', 'amount', 0.6],
    ['amount', 'max(body.total, body.cents, 3)', 'amount', 1_250],
    ['amount', 'coalesce(body.missing.amount, body.total)', 'amount', 12.5],
    ['currency', 'coalesce(body.currency, "EUR")', 'currency', 'EUR'],
    ['metadata', 'null', 'metadata', undefined],
    ['metadata', '{"skus": size(body.items)}', 'metadata', { skus: 2 }],
    [
      'metadata',
      '{"at": timestamp("2026-01-01T00:00:00Z"), "note": null, "of": [size(body.items)]}',
      'metadata',
      { at: '2026-01-01T00:00:00.000Z', note: null, of: [2] },
    ],
    ['amount', 'size(body.items)', 'amount', 2],
    ['external_id', 'size(body.items)', 'externalId', '2'],
    ['original_external_id', 'body.id', 'originalExternalId', '1001'],
    ['event_timestamp', '"2026-01-01 00:00"', 'eventTimestamp', '2026-01-01T00:00:00.000Z'],
    ['event_timestamp', '100000000000', 'eventTimestamp', '5138-11-16T09:46:40.000Z'],
    ['event_timestamp', '100000000001', 'eventTimestamp', '1973-03-03T09:46:40.001Z'],
  ])('%s from %s', (key, expression, member, expected) => {
    expect(apply({ [key]: expression })[member as 'amount']).toEqual(expected);
  });

  test('tries the ways to find a client in their order, and leaves out what is not there', () => {
    const { client } = apply({ client_id: 'body.client_id', phone: 'body.customer.phone' });
    expect(client.map(({ by, value }) => [by, value])).toEqual([
      ['email', 'ada@mail.example'],
      ['phone', '4915112345'],
    ]);
  });

  test.each<[keyof Mapping, string, RegExp]>([
    ['event_type', 'body.missing', /event_type is missing/],
    ['amount', 'body.customer', /amount must be a number/],
    ['amount', 'body.customer.email', /amount must be a number/],
    ['metadata', 'body.items', /metadata must be an object/],
    ['event_timestamp', '"soon"', /event_timestamp must be a moment/],
    ['email', 'body.items', /email must be a text/],
    ['external_id', 'body.id + "x"', /^external_id: no such overload/],
    ['event_category', 'body.missing', /event_category is missing/],
    ['amount', 'body.blank', /amount must be a number/],
    ['metadata', 'body.text', /metadata must be an object/],
    ['metadata', 'body.id', /metadata must be an object/],
  ])('%s from %s cannot be read', (key, expression, reason) => {
    expect(() => apply({ [key]: expression })).toThrow(Unreadable);
    expect(() => apply({ [key]: expression })).toThrow(reason);
  });

  test.each<[keyof Mapping, string, RegExp]>([
    ['amount', '1 +', /at character/],
    ['amount', '"much"', /gives string, not number/],
    ['amount', 'nonsense', /Unknown variable/],
    ['email', 'body.email.matches("(a+)+$")', /matches\(\) is not available/],
    ['email', '', /^email: the expression is empty \(at character 0\)$/],
    ['phone', 'body.id == 1', /gives boolean, not string or number$/],
    ['metadata', '"text"', /gives string, not object/],
    ['event_category', '"nonsense"', /must be one of transaction, engagement, loyalty, custom$/],
    ['event_category', '"field_change"', /must be one of/],
  ])('%s as %s is refused when it is saved', (key, expression, reason) => {
    const [problem] = complaintsAboutMapping({ [key]: expression });
    expect(problem).toMatchObject({ field: key, message: expect.stringMatching(reason) });
  });

  test('is saved where each expression gives what is wanted, or may', () => {
    const complaints = complaintsAboutMapping({
      ...base,
      event_type: '"newsletter_opened"',
      amount: 'body.total',
      phone: '4915112345',
      event_timestamp: 'timestamp("2026-01-01T00:00:00Z")',
    });
    expect(complaints).toEqual([]);
    for (const category of ['"custom"', 'body.kind', 'body.refunded ? "custom" : "other"'])
      expect(complaintsAboutMapping({ event_category: category })).toEqual([]);
  });

  test('takes for all its expressions together what one may take', () => {
    // A moment that is looked at weighs 4 000: this is more than half of what one may take.
    const list = Array.from({ length: 1_500 }, (_, index) => index);
    const dear = 'size(body.list.map(one, timestamp(1).getHours("Asia/Tokyo")))';
    const read = (mapping: Mapping) =>
      applyMapping({ ...base, ...mapping }, { body: { ...body, list }, headers });
    expect(read({ amount: dear }).amount).toBe(1_500);
    expect(() => read({ amount: dear, external_id: dear })).toThrow(/takes too long/);
  });

  test('reads no member that an object merely inherits', () => {
    expect(apply({ external_id: 'body.constructor' }).externalId).toBeUndefined();
    expect(apply({ external_id: 'body.__proto__' }).externalId).toBeUndefined();
  });
});

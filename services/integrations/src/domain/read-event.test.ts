import { complaintAboutEvent, type ReadEvent, Unreadable } from './read-event';

const now = new Date('2026-06-01T12:00:00Z');
const purchase: ReadEvent = {
  eventCategory: 'transaction',
  eventType: 'purchase',
  amount: 1.5,
  currency: 'EUR',
  client: [{ by: 'email', value: 'ada@mail.example' }],
};

test.each<[Partial<ReadEvent>]>([
  [{}],
  [{ amount: 0 }],
  [{ eventCategory: 'custom', eventType: 'newsletter_opened', amount: undefined }],
  [{ eventCategory: 'engagement', eventType: 'visit', amount: undefined }],
  [{ eventTimestamp: '2026-07-02T11:00:00Z' }],
  [{ eventTimestamp: '2026-07-02T12:00:00Z' }],
  [{ externalId: 'sale' }],
  [{ externalId: 'x'.repeat(255) }],
  [{ eventType: 'refund', originalExternalId: 'sale' }],
  [{ eventType: 'refund', originalExternalId: 'x'.repeat(255) }],
  [{ client: [{ by: 'external_id', value: 'x'.repeat(255) }] }],
  [{ eventCategory: 'custom', eventType: 'x'.repeat(100) }],
  [{ amount: 100_000_000_000 }],
  [{ currency: undefined }],
  [{ eventTimestamp: '1999-01-01' }],
  [{ metadata: { note: 'x'.repeat(20_000 - '{"note":""}'.length) } }],
  [{ eventCategory: 'loyalty', eventType: 'points_earned', amount: -2 }],
])('%o can be recorded', (over) => {
  expect(complaintAboutEvent({ ...purchase, ...over }, now)).toBeNull();
});

test.each<[Partial<ReadEvent>, RegExp]>([
  [
    { eventCategory: 'field_change' },
    /^event_category "field_change" is not one of transaction, engagement, loyalty, custom$/,
  ],
  [{ eventCategory: 'toString' }, /event_category/],
  [{ eventType: 'visit' }, /event_type/],
  [{ eventCategory: 'custom', eventType: '' }, /event_type/],
  [{ eventCategory: 'custom', eventType: 'x'.repeat(101) }, /event_type/],
  [{ amount: undefined }, /needs an amount/],
  [{ amount: -1 }, /must not be negative/],
  [{ amount: Number.NaN }, /a number of at most/],
  [{ amount: 1e12 }, /a number of at most/],
  [{ originalExternalId: 'sale' }, /belongs to refunds/],
  [{ currency: 'EURO' }, /three letters/],
  [{ externalId: '' }, /external_id/],
  [{ externalId: 'x'.repeat(256) }, /external_id/],
  [{ eventTimestamp: 'soon' }, /event_timestamp/],
  [{ eventTimestamp: '2026-07-02T13:00:00Z' }, /in the future/],
  [{ eventTimestamp: '2999-01-01' }, /in the future/],
  [{ eventTimestamp: '0000-01-01T00:00:00+01:00' }, /is before 0001-01-02/],
  [{ eventTimestamp: '-000001-06-01T00:00:00.000Z' }, /is before 0001-01-02/],
  [{ client: [] }, /which client/],
  [{ metadata: { a: [{ _bsontype: 'x' }] } }, /^metadata\.a\.0\._bsontype is a forbidden key$/],
  [{ metadata: { note: 'x\0' } }, /^metadata\.note must not hold null characters/],
  [{ externalId: 'x\0' }, /^external_id must not hold null characters/],
  [
    { eventType: 'refund', originalExternalId: 'x'.repeat(256) },
    /^original_external_id must have 1 to 255 characters$/,
  ],
  [{ eventType: 'refund', originalExternalId: '' }, /^original_external_id must have 1 to 255/],
  [
    { eventType: 'refund', originalExternalId: 'x\0' },
    /^original_external_id must not hold null characters/,
  ],
  [
    { client: [{ by: 'email', value: 'x'.repeat(256) }] },
    /^email must have at most 255 characters$/,
  ],
  [
    {
      client: [
        { by: 'email', value: 'ada@mail.example' },
        { by: 'phone', value: 'x\0' },
      ],
    },
    /^client\.phone must not hold null characters/,
  ],
  [{ metadata: { note: 'x'.repeat(20_001 - '{"note":""}'.length) } }, /at most 20000 characters/],
])('%o cannot: %s', (over, reason) => {
  expect(complaintAboutEvent({ ...purchase, ...over }, now)).toMatch(reason);
});

test('what cannot be read differs from other faults by its name', () => {
  expect(new Unreadable('why')).toMatchObject({ name: 'Unreadable', message: 'why' });
});

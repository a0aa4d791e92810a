import { type Facts, variablesOf, whyNotFor } from './facts';
import type { Trigger } from './trigger';

const now = new Date('2026-01-15T10:00:00.000Z');
const wallet = { active: 1, pending: 2, locked: 3, earned: 4, spent: 5, expired: 6 };

const told: Facts['client'] = {
  id: 'c',
  workspace_id: 'w',
  first_name: 'Ada',
  last_name: 'Weber',
  email: 'ada@example.com',
  phone: '+491701234567',
  birth_date: '1990-01-15',
  status: 'active',
  marketing_consent: true,
  marketing_consent_at: '2026-01-01T00:00:00.000Z',
  marketing_consent_source: 'form',
  marketing_consent_text: 'Yes',
  source: 'shop',
  loyalty_program_enabled: true,
  registration_date: '2026-01-05T10:00:00.000Z',
  date_created: '2026-01-05T10:00:00.000Z',
  custom_fields: { shoe: 38 },
};
const untold = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  birth_date: null,
  marketing_consent_at: null,
  marketing_consent_source: null,
  marketing_consent_text: null,
  source: null,
};
const metrics = { transaction_count: 2, total_spending: 30, days_since_last_transaction: 4 };
const facts = (fields: Partial<Facts> = {}): Facts => ({
  client: told,
  wallets: { beans: wallet },
  tier: { id: 't', name: 'Gold', level: 2, isAssigned: false },
  metrics: metrics as Facts['metrics'],
  foreseen: [],
  foreseenGifts: [],
  inactiveWallets: [],
  now,
  timeZone: 'Europe/Berlin',
  ...fields,
});

const happened: Trigger = {
  type: 'transaction',
  eventId: 'e',
  triggerEventId: 'e',
  eventType: 'purchase',
  eventCategory: 'transaction',
  clientId: 'c',
  at: now,
  passId: 'p',
  amount: 12,
  currency: 'EUR',
  fieldName: 'f',
  oldValue: 'o',
  newValue: 'n',
  role: 'referee',
  source: 'pos',
  externalId: 'x',
  metadata: { till: 1 },
  isSynthetic: false,
};

test('formulas see what is known of client, event, wallets, tier and figures', () => {
  expect(variablesOf(facts(), happened)).toEqual({
    client: {
      ...told,
      marketing_consent_at: new Date('2026-01-01T00:00:00.000Z'),
      registration_date: new Date('2026-01-05T10:00:00.000Z'),
      date_created: new Date('2026-01-05T10:00:00.000Z'),
      age: 36,
      days_since_registration: 10,
    },
    event: {
      id: 'e',
      event_category: 'transaction',
      event_type: 'purchase',
      event_timestamp: now,
      pass_id: 'p',
      amount: 12,
      currency: 'EUR',
      field_name: 'f',
      old_value: 'o',
      new_value: 'n',
      role: 'referee',
      source: 'pos',
      external_id: 'x',
      metadata: { till: 1 },
    },
    wallet: { beans: wallet },
    tier: { id: 't', name: 'Gold', level: 2 },
    metrics,
    now,
    timeZone: 'Europe/Berlin',
  });
});

test('a text that is not there is empty, a number is none, a moment is null', () => {
  const nothing = {
    passId: null,
    amount: null,
    currency: null,
    fieldName: null,
    oldValue: null,
    newValue: null,
    role: null,
    source: null,
    externalId: null,
  };
  const unknown = facts({
    client: { ...told, ...untold },
    tier: null,
    metrics: { ...metrics, days_since_last_transaction: null } as Facts['metrics'],
  });
  const {
    client,
    event,
    tier,
    metrics: figures,
  } = variablesOf(unknown, { ...happened, ...nothing });
  expect(client).toMatchObject({
    ...Object.fromEntries(Object.keys(untold).map((name) => [name, ''])),
    marketing_consent_at: null,
    age: Number.NaN,
  });
  expect(event).toMatchObject({
    pass_id: '',
    amount: Number.NaN,
    currency: '',
    field_name: '',
    old_value: '',
    new_value: '',
    role: '',
    source: '',
    external_id: '',
  });
  expect(tier).toEqual({ id: '', name: '', level: 0 });
  expect(figures).toMatchObject({ transaction_count: 2, days_since_last_transaction: Number.NaN });
});

test.each([
  ['transaction', 'active', null],
  ['transaction', 'inactive', null],
  ['time_based', 'active', null],
  ['time_based', 'inactive', 'the client is not active'],
  ['transaction', 'anonymized', 'the client is anonymized'],
  ['time_based', 'anonymized', 'the client is anonymized'],
] as const)('a rule on %s of a client who is %s: %j keeps it from running', (type, status, why) => {
  const { client } = facts({ client: { ...told, status } });
  expect(whyNotFor(facts({ client }), { type } as Trigger)).toBe(why);
});

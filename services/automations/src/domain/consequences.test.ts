import { consequenceOf } from './consequences';
import type { Facts } from './facts';
import type { PlannedEffect } from './plan';
import { trigger } from './trigger';

const at = new Date('2026-01-15T10:00:00.000Z');
const happened = (type: 'transaction' | 'custom_event', eventType: string) =>
  trigger({ type, eventType, eventId: 'event', eventCategory: type, clientId: 'c', at });
const purchase = happened('transaction', 'purchase');

type Standing = { balance?: number; tier?: Facts['tier']; client?: object };
const standing = ({ balance = 0, tier = null, client = {} }: Standing = {}) =>
  ({
    client: { custom_fields: {}, ...client },
    wallets: { beans: { active: balance } },
    tier,
  }) as unknown as Facts;
const causes = (
  effect: object,
  before: Standing = {},
  after: Standing = {},
  first: ReturnType<typeof happened> = purchase,
) =>
  consequenceOf(
    effect as PlannedEffect,
    { before: standing(before), after: standing(after) },
    first,
  );
const earn = (points: number, code = 'beans') => ({
  type: 'earn_points',
  points,
  wallet_type_code: code,
});

test('points that are earned over a purchase name it, and what they come to', () => {
  expect(causes(earn(5), {}, { balance: 12 })).toEqual({
    type: 'loyalty',
    eventCategory: 'loyalty',
    eventType: 'points_earned',
    amount: 5,
    source: 'transaction',
    metadata: {
      wallet_type_code: 'beans',
      points_delta: 5,
      balance_after: 12,
      source_type: 'transaction',
      source_id: 'event',
    },
  });
});

test.each([happened('transaction', 'refund'), happened('custom_event', 'purchase')])(
  'points over what is no purchase come of the rule: $type $eventType',
  (first) => {
    expect(causes(earn(5), {}, {}, first)).toMatchObject({
      source: 'automation',
      metadata: { source_type: 'automation', source_id: null },
    });
  },
);

test('points that are taken come of the rule, over a purchase too, and are spent', () => {
  const taken = { type: 'deduct_points', amount: 3, wallet_type_code: 'beans' };
  expect(causes(taken, {}, { balance: 1 })).toMatchObject({
    eventType: 'points_spent',
    amount: 3,
    source: 'automation',
    metadata: { points_delta: -3, balance_after: 1, source_type: 'automation', source_id: null },
  });
});

test('no points cause nothing, and a wallet that is not known of has none', () => {
  expect(causes(earn(0))).toBeNull();
  expect(causes(earn(1, 'other'), {}, { balance: 9 })).toMatchObject({
    metadata: { wallet_type_code: 'other', balance_after: 0 },
  });
});

test('a reward that is given is redeemed for nothing, and has no code yet', () => {
  expect(causes({ type: 'give_reward', reward_id: 'mug' })).toEqual({
    type: 'loyalty',
    eventCategory: 'loyalty',
    eventType: 'reward_redeemed',
    amount: 0,
    source: 'earning_rule',
    metadata: {
      reward_id: 'mug',
      reward_name: null,
      redemption_id: null,
      coupon_code: null,
    },
  });
});

describe('a tier that is given or taken', () => {
  const silver = { id: 's', name: 'Silver', level: 1, isAssigned: false };
  const gold = { id: 'g', name: 'Gold', level: 2, isAssigned: true };
  const effects = ['assign_tier', 'remove_tier'];

  test.each(effects)('names the one before: %s', (type) => {
    expect(causes({ type }, { tier: silver }, { tier: gold })).toEqual({
      type: 'loyalty',
      eventCategory: 'loyalty',
      eventType: 'tier_promoted',
      source: 'tiers',
      metadata: {
        tier_id: 'g',
        tier_name: 'Gold',
        previous_tier_id: 's',
        previous_tier_name: 'Silver',
        manually_assigned: true,
      },
    });
    expect(causes({ type }, { tier: gold }, { tier: silver })).toMatchObject({
      eventType: 'tier_demoted',
      metadata: { manually_assigned: false },
    });
  });

  test('is a step up from none, and a step down to none', () => {
    const type = 'assign_tier';
    expect(causes({ type }, {}, { tier: silver })).toMatchObject({
      eventType: 'tier_promoted',
      metadata: { previous_tier_id: null, previous_tier_name: null },
    });
    expect(causes({ type }, { tier: silver })).toMatchObject({
      eventType: 'tier_demoted',
      metadata: { tier_id: null, tier_name: null, manually_assigned: false },
    });
  });

  test.each(effects)('causes nothing where it stays: %s', (type) => {
    expect(causes({ type }, { tier: gold }, { tier: { ...gold, name: 'New' } })).toBeNull();
    expect(causes({ type })).toBeNull();
  });
});

describe('a field that is written', () => {
  const write = (field_name: string, before: object, after: object) =>
    causes({ type: 'update_client_field', field_name }, { client: before }, { client: after });

  test('names both values, a column as well as a field of the workspace', () => {
    const written = {
      type: 'field_change',
      eventCategory: 'field_change',
      eventType: 'field_updated',
      source: 'automation',
    };
    expect(write('first_name', { first_name: null }, { first_name: 'Ada' })).toEqual({
      ...written,
      fieldName: 'first_name',
      oldValue: null,
      newValue: 'Ada',
    });
    expect(write('shoe', {}, { custom_fields: { shoe: 38 } })).toEqual({
      ...written,
      fieldName: 'shoe',
      oldValue: null,
      newValue: '38',
    });
  });

  test('causes nothing where it says the same', () => {
    expect(write('first_name', { first_name: 'Ada' }, { first_name: 'Ada' })).toBeNull();
    const wide = { custom_fields: { size: ['a', 1] } };
    expect(write('size', wide, structuredClone(wide))).toBeNull();
    expect(write('shoe', {}, {})).toBeNull();
  });
});

test.each(['send_push', 'call_webhook', 'switch_template'])(
  '%s causes nothing that a rule asks for',
  (type) => {
    expect(causes({ type })).toBeNull();
  },
);

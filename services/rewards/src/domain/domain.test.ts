import { REDEMPTION_SOURCES } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { toUnits } from '@laurel/values/amount';
import { doubtAbout } from './coupon';
import { notificationDue, recoveryOf, spendOperation } from './redemption';
import { changedReward, newReward } from './reward';

const now = new Date('2026-05-04T10:00:00.000Z');
const later = new Date('2026-05-05T10:00:00.000Z');
const fields = { name: 'Free coffee', cost_in_points: toUnits(10) };

describe('a reward', () => {
  test('is purchasable only with a wallet to pay from, also after a change', () => {
    expect(
      newReward({ id: 'r', workspaceId: 'w' }, { ...fields, purchasable: true }, now).purchasable,
    ).toBe(false);
    const paid = newReward(
      { id: 'r', workspaceId: 'w' },
      { ...fields, wallet_type_id: 'points' },
      now,
    );
    expect(paid.purchasable).toBe(true);
    expect(changedReward(paid, { wallet_type_id: null }, later).purchasable).toBe(false);
  });

  test('is for sale with the wallet that it gets, unless it was kept from sale', () => {
    const made = newReward({ id: 'r', workspaceId: 'w' }, fields, now);
    const paid = changedReward(made, { wallet_type_id: 'points' }, later);
    const unpaid = changedReward(paid, { wallet_type_id: null }, later);
    const again = changedReward(unpaid, { name: 'Tea', wallet_type_id: 'stars' }, later);
    const states = [made, paid, unpaid, again].map(({ purchasable }) => purchasable);
    expect(states).toEqual([false, true, false, true]);
  });

  test('that is kept from sale stays so with another wallet, until that is taken back', () => {
    const kept = { ...fields, purchasable: false };
    const made = newReward({ id: 'r', workspaceId: 'w' }, kept, now);
    const paid = changedReward(made, { wallet_type_id: 'points' }, later);
    const unpaid = changedReward(paid, { wallet_type_id: null }, later);
    const again = changedReward(unpaid, { wallet_type_id: 'points' }, later);
    const wanted = changedReward(unpaid, { purchasable: true }, later);
    const sold = changedReward(wanted, { wallet_type_id: 'points' }, later);
    const states = [made, paid, unpaid, again, wanted, sold].map((one) => one.purchasable);
    expect(states).toEqual([false, false, false, false, false, true]);
  });

  test('of which an earlier version kept only what came of it is for sale by default once a wallet pays', () => {
    const { for_sale: _, ...old } = newReward({ id: 'r', workspaceId: 'w' }, fields, now);
    const withWallet = { wallet_type_id: 'points' };
    expect(changedReward(old, withWallet, later).purchasable).toBe(true);
    const renamed = changedReward(old, { name: 'Tea' }, later);
    expect(changedReward(renamed, withWallet, later).purchasable).toBe(true);
    const unpaid = changedReward(
      { ...old, ...withWallet, purchasable: true },
      { wallet_type_id: null },
      later,
    );
    expect(changedReward(unpaid, withWallet, later).purchasable).toBe(true);
    const kept = { ...old, ...withWallet };
    expect(changedReward(kept, { name: 'Tea' }, later).purchasable).toBe(false);
  });

  test('is what the workspace says, and for the rest what suits most: active, unlimited, for everyone', () => {
    expect(newReward({ id: 'r', workspaceId: 'w' }, fields, now)).toEqual({
      id: 'r',
      workspace_id: 'w',
      ...fields,
      description: null,
      code_pattern: null,
      active: true,
      wallet_type_id: null,
      monetary_value: null,
      availability_start: null,
      availability_end: null,
      visibility_tiers: [],
      visibility_segments: [],
      usage_limit: null,
      usage_limit_per_client: null,
      categories: [],
      image: null,
      sort_order: 0,
      purchasable: false,
      notification_config: null,
      used: 0,
      coupons_imported: false,
      for_sale: true,
      revision: 1,
      date_created: now,
      date_updated: now,
    });
  });

  test('may be kept from sale though there is a wallet to pay from', () => {
    const kept = { ...fields, wallet_type_id: 'points', purchasable: false };
    expect(newReward({ id: 'r', workspaceId: 'w' }, kept, now).purchasable).toBe(false);
  });

  test('keeps what a change does not name, and counts its revisions', () => {
    const reward = newReward({ id: 'r', workspaceId: 'w' }, { ...fields, usage_limit: 5 }, now);
    expect(changedReward(reward, { name: 'Tea' }, later)).toEqual({
      ...reward,
      name: 'Tea',
      revision: 2,
      date_updated: later,
    });
  });

  test('refuses every problem at once, each with its field', () => {
    const bad = { ...fields, code_pattern: 'X', availability_start: later, availability_end: now };
    let refusal: unknown;
    try {
      newReward({ id: 'r', workspaceId: 'w' }, bad, now);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).problems).toEqual([
      {
        field: 'code_pattern',
        message: 'code_pattern must contain at least one {RAND:N} token with N of at least 4',
      },
      {
        field: 'availability_end',
        message: 'availability_end must be after availability_start',
      },
    ]);
  });

  test('refuses an end that is its start, and knows no order of one date alone', () => {
    const from = (start: Date | null, end: Date | null) => () =>
      newReward(
        { id: 'r', workspaceId: 'w' },
        { ...fields, availability_start: start, availability_end: end },
        now,
      );
    expect(from(now, now)).toThrow(Refusal);
    for (const fine of [from(now, later), from(now, null), from(null, now), from(null, null)])
      expect(fine).not.toThrow();
  });

  test('refuses a change by which it would go wrong', () => {
    const reward = newReward(
      { id: 'r', workspaceId: 'w' },
      { ...fields, availability_start: now },
      now,
    );
    expect(() => changedReward(reward, { availability_end: now }, later)).toThrow(Refusal);
    expect(() => changedReward(reward, { code_pattern: '{RAND:2}' }, later)).toThrow(Refusal);
    expect(changedReward(reward, { code_pattern: '{RAND:6}' }, later).code_pattern).toBe(
      '{RAND:6}',
    );
  });
});

test('what is abandoned before its redemption is there is undone, at whatever step an earlier version left it', () => {
  for (const state of ['open', 'reserving', 'spending', 'coupon', 'compensating'])
    expect([state, recoveryOf(state)]).toEqual([state, 'undo']);
  expect(recoveryOf('settling')).toBe('settle');
  expect(recoveryOf('failed')).toBe('look again');
});

test('the spend of a redemption has one name, however often it is tried', () => {
  expect(spendOperation('r1')).toBe('redemption:r1');
});

test('a redemption comes from one of five sides', () => {
  expect(REDEMPTION_SOURCES).toEqual(['admin', 'self_serve', 'earning_rule', 'mobile', 'campaign']);
});

test('a push is due only when the reward says so, has words, and the caller does not object', () => {
  const config = { send_on_redemption: true, body: 'Enjoy' };
  expect(notificationDue(config, true)).toBe('Enjoy');
  expect(notificationDue(config, false)).toBeNull();
  expect(notificationDue({ body: 'Enjoy' }, true)).toBeNull();
  expect(notificationDue({ ...config, body: ' ' }, true)).toBeNull();
  expect(notificationDue(null, true)).toBeNull();
});

describe('a code', () => {
  const coupon = {
    id: 'c',
    workspace_id: 'w',
    reward_id: 'r',
    code: 'AB',
    redemption_id: null,
    released_by: null,
    imported: true,
    used_at: null,
    date_created: now,
  };
  test.each([
    ['nowhere', null, null, 'unknown'],
    ['in the pool', { ...coupon, status: 'available' as const }, null, 'unknown'],
    ['issued', { ...coupon, status: 'issued' as const }, { status: 'fulfilled' as const }, null],
    ['used', { ...coupon, status: 'used' as const }, { status: 'fulfilled' as const }, 'used'],
    [
      'used by who cancelled later',
      { ...coupon, status: 'used' as const },
      { status: 'cancelled' as const },
      'used',
    ],
    ['issued to no known client', { ...coupon, status: 'issued' as const }, null, null],
    ['void, of no known client', { ...coupon, status: 'void' as const }, null, 'cancelled'],
    ['void', { ...coupon, status: 'void' as const }, { status: 'fulfilled' as const }, 'cancelled'],
    [
      'given back',
      { ...coupon, status: 'available' as const },
      { status: 'cancelled' as const },
      'cancelled',
    ],
  ])('that is %s', (_where, found, redemption, doubt) => {
    expect(doubtAbout(found, redemption)).toBe(doubt);
  });
});

import { toUnits } from '@laurel/amount';
import { Refusal } from '@laurel/errors';
import { doubtAbout } from './coupon';
import { notificationDue, recoveryOf } from './redemption';
import { changedReward, newReward } from './reward';

const now = new Date('2026-05-04T10:00:00.000Z');
const later = new Date('2026-05-05T10:00:00.000Z');
const fields = { name: 'Free coffee', cost_in_points: toUnits(10) };

describe('a reward', () => {
  test('is purchasable only with a wallet to pay from, also after a change', () => {
    expect(newReward('r', 'w', { ...fields, purchasable: true }, now).purchasable).toBe(false);
    const paid = newReward('r', 'w', { ...fields, wallet_type_id: 'points' }, now);
    expect(paid.purchasable).toBe(true);
    expect(changedReward(paid, { wallet_type_id: null }, later).purchasable).toBe(false);
  });

  test('keeps what a change does not name, and counts its revisions', () => {
    const reward = newReward('r', 'w', { ...fields, usage_limit: 5 }, now);
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
      newReward('r', 'w', bad, now);
    } catch (error) {
      refusal = error;
    }
    expect((refusal as Refusal).problems.map(({ field }) => field)).toEqual([
      'code_pattern',
      'availability_end',
    ]);
    expect(refusal).toBeInstanceOf(Refusal);
  });
});

test('what is abandoned before the points are known to be spent is undone, afterwards completed', () => {
  expect(recoveryOf('reserving')).toBe('undo');
  expect(recoveryOf('spending')).toBe('undo');
  expect(recoveryOf('compensating')).toBe('undo');
  expect(recoveryOf('coupon')).toBe('complete');
  expect(recoveryOf('settling')).toBe('settle');
  expect(recoveryOf('failed')).toBe('forget');
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

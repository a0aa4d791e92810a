import { REFERRAL_STATUSES } from '@laurel/contract';
import { newProgram, type ProgramFields, replaceProgram } from './program';
import { type Deed, newReferral, qualifies } from './referral';

const at = (day: number, minute = 0) => new Date(Date.UTC(2026, 0, day, 10, minute));
const fields: ProgramFields = {
  enabled: true,
  completion_criteria: 'first_transaction',
  distribution_id: null,
  pending_expiry_days: 10,
  max_referrals_per_referrer: null,
};
const program = newProgram({ id: 'p', workspaceId: 'w', now: at(1) }, fields);
const parties = { referrerId: 'a', refereeId: 'b', code: 'K7QM2XPA' };
const referral = newReferral({ id: 'r', now: at(2) }, program, parties);
const deed: Deed = {
  criteria: 'first_transaction',
  eventType: 'purchase',
  eventId: 'e',
  happenedAt: at(3),
  recordedAt: at(3),
};

describe('a new referral', () => {
  test('is pending, as the program says at this moment', () => {
    expect(referral).toEqual({
      id: 'r',
      workspace_id: 'w',
      referrer_client_id: 'a',
      referee_client_id: 'b',
      referral_code: 'K7QM2XPA',
      status: 'pending',
      completion_criteria: 'first_transaction',
      qualifying_event_type: null,
      qualifying_event_id: null,
      completed_at: null,
      cancelled_at: null,
      expires_at: at(12),
      date_created: at(2),
      date_updated: at(2),
    });
  });

  test('knows four states', () => {
    expect(REFERRAL_STATUSES).toEqual(['pending', 'completed', 'expired', 'cancelled']);
  });
});

describe('a pending referral', () => {
  test('is completed by a purchase after it was made', () => {
    expect(qualifies(referral, program, deed)).toBe(true);
  });

  test('is not completed by a purchase dated at or before its creation, however late it is recorded', () => {
    expect(qualifies(referral, program, { ...deed, happenedAt: at(2) })).toBe(false);
    expect(qualifies(referral, program, { ...deed, happenedAt: at(1) })).toBe(false);
  });

  test('is completed by its own criteria, whatever the program says by now', () => {
    const changed = { ...program, completion_criteria: 'pass_install' as const };
    expect(qualifies(referral, changed, deed)).toBe(true);
    expect(qualifies(referral, changed, { ...deed, criteria: 'pass_install' })).toBe(false);
  });

  test('expires to the millisecond, by when the platform learned of the purchase', () => {
    expect(referral.expires_at).toEqual(at(12));
    const last = new Date(at(12).getTime() - 1);
    expect(qualifies(referral, program, { ...deed, recordedAt: last })).toBe(true);
    expect(qualifies(referral, program, { ...deed, recordedAt: at(12) })).toBe(false);
  });

  test('never expires without pending_expiry_days', () => {
    const endless = newReferral(
      { id: 'r', now: at(2) },
      { ...program, pending_expiry_days: null },
      parties,
    );
    expect(endless.expires_at).toBeNull();
    const late = { ...deed, happenedAt: at(300), recordedAt: at(300) };
    expect(qualifies(endless, program, late)).toBe(true);
  });

  test.each(['completed', 'cancelled'] as const)('is no longer %s', (status) => {
    expect(qualifies({ ...referral, status }, program, deed)).toBe(false);
  });

  test('that expired is completed by what was recorded before its time ran out, and by nothing later', () => {
    const expired = { ...referral, status: 'expired' as const };
    const last = new Date(at(12).getTime() - 1);
    expect(qualifies(expired, program, { ...deed, recordedAt: last })).toBe(true);
    expect(qualifies(expired, program, { ...deed, recordedAt: at(12) })).toBe(false);
    const off = replaceProgram(program, { ...fields, enabled: false }, at(4));
    expect(qualifies(expired, off, { ...deed, recordedAt: last })).toBe(false);
  });

  test('is not completed by what was learned of while the program was off, however early it happened', () => {
    const off = replaceProgram(program, { ...fields, enabled: false }, at(4));
    expect(qualifies(referral, off, deed)).toBe(true);
    expect(qualifies(referral, off, { ...deed, recordedAt: at(4) })).toBe(false);
    const on = replaceProgram(off, fields, at(6));
    expect(qualifies(referral, on, { ...deed, recordedAt: at(5) })).toBe(false);
    expect(qualifies(referral, on, { ...deed, recordedAt: at(6) })).toBe(true);
  });

  test('is not completed by what happened while the program was off, however late it is learned of', () => {
    const off = replaceProgram(program, { ...fields, enabled: false }, at(4));
    const on = replaceProgram(off, fields, at(6));
    const heard = (happenedAt: Date) =>
      qualifies(referral, on, { ...deed, happenedAt, recordedAt: at(7) });
    expect([at(3), at(4), at(5), at(6)].map(heard)).toEqual([true, false, false, true]);
  });

  test('goes by every switch of the program, and not just by the last', () => {
    let switched = program;
    for (const day of [4, 6, 8, 9])
      switched = replaceProgram(switched, { ...fields, enabled: !switched.enabled }, at(day));
    const heard = (happenedAt: Date, recordedAt = at(10)) =>
      qualifies(referral, switched, { ...deed, happenedAt, recordedAt });
    const days = [3, 4, 5, 6, 7, 8, 9];
    expect(days.map((day) => heard(at(day)))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
    // However late its event is consumed: it was recorded while the program was on, at a time before the last switches.
    expect(heard(at(3), at(3))).toBe(true);
    expect(heard(at(7), at(7))).toBe(true);
    expect(heard(at(3), at(5))).toBe(false);
  });
});

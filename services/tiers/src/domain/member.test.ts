import { toUnits } from '@laurel/values/amount';
import { NO_ACTIVITY, NOTHING } from './activity';
import {
  anonymize,
  bury,
  count,
  factsOf,
  type HeldTier,
  heldTier,
  introduce,
  isEligible,
  learnStanding,
  type Member,
  mergeMembers,
  NO_PROFILE,
  type Said,
  settle,
  strangerMember,
} from './member';
import type { Programme, Tier, TierKind } from './programme';

const now = new Date('2026-05-04T10:00:00.000Z');
const earlier = new Date('2026-01-01T10:00:00.000Z');
const later = new Date('2026-06-01T10:00:00.000Z');
const today = '2026-05-04';

const tier = (id: string, sort_order: number, kind: TierKind = 'auto', points?: number): Tier => ({
  id,
  tier_set_id: 'set',
  workspace_id: 'w',
  name: id.toUpperCase(),
  description: null,
  sort_order,
  kind,
  condition_values: points === undefined ? {} : { total_earned: points },
  benefits: [],
  color: null,
  icon: null,
  pass_sync_config: {},
  pass_template_id: null,
  notification_config: null,
});
const bronze = tier('bronze', 0);
const gold = tier('gold', 2, 'auto', 100);
const vip = tier('vip', 5, 'exclusive');
const top = tier('top', 9, 'exclusive');
const programme: Programme = {
  active: true,
  conditions: [{ type: 'total_earned' }],
  lookbackDays: 0,
  tiers: [bronze, gold, vip, top],
};

const profile = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@mail.example',
  customFields: ['city=Bern'],
};
const active = { enabled: true, status: 'active' };
const said = (at: string, revision: number | null = null): Said => ({ at, revision });
const alive: Member = {
  ...strangerMember('w', 'ann'),
  revision: 7,
  profile,
  profileAsOf: said('3'),
  ...active,
  standingAsOf: said('3'),
};
const assigned = (tierId: string, expiresAt: Date | null = null) => ({
  tierId,
  assignedAt: earlier,
  expiresAt,
});
const earned = (points: number) => ({ ...NOTHING, earned: { points: toUnits(points) } });
const deleted = bury(alive);
const merged: Member = { ...deleted, state: 'merged', mergedInto: 'bo' };
const nameless = anonymize(alive);

describe('a client of whom something arrived before anybody introduced them', () => {
  test('has no name, is in no tier and has done nothing', () => {
    expect(strangerMember('w', 'ann')).toEqual({
      id: 'ann',
      workspaceId: 'w',
      revision: 0,
      state: 'alive',
      mergedInto: null,
      anonymized: false,
      profileAsOf: null,
      profile: { firstName: null, lastName: null, email: null, customFields: [] },
      standingAsOf: null,
      enabled: false,
      status: 'inactive',
      activity: NO_ACTIVITY,
      assignment: null,
      tier: null,
      givenBy: null,
      promotedAt: null,
      lapsed: false,
      dueAt: null,
      templateIds: [],
    });
  });
});

test('only who is alive, enrolled and active may have a tier', () => {
  expect(isEligible(alive)).toBe(true);
  expect(isEligible({ ...alive, enabled: false })).toBe(false);
  expect(isEligible({ ...alive, status: 'inactive' })).toBe(false);
  expect(isEligible({ ...alive, state: 'deleted' })).toBe(false);
});

describe('news of a client', () => {
  const bo = { ...profile, firstName: 'Bo' };

  test('is taken over when it is newer', () => {
    expect(
      introduce(alive, {
        profile: bo,
        standing: { enabled: false, status: 'inactive' },
        asOf: said('4'),
      }),
    ).toEqual({
      ...alive,
      profile: bo,
      profileAsOf: said('4'),
      enabled: false,
      status: 'inactive',
      standingAsOf: said('4'),
    });
  });

  test('is taken over when nothing was known', () => {
    const stranger = strangerMember('w', 'ann');
    expect(introduce(stranger, { profile, standing: active, asOf: said('1') })).toMatchObject({
      profile,
      ...active,
    });
    expect(learnStanding(stranger, active, said('1'))).toEqual({
      ...stranger,
      ...active,
      standingAsOf: said('1'),
    });
  });

  test.each(['2', '3'])('is old news as of %s, and changes nothing', (at) => {
    const asOf = said(at);
    const away = { enabled: false, status: 'inactive' };
    expect(introduce(alive, { profile: bo, standing: away, asOf })).toEqual(alive);
    expect(learnStanding(alive, away, asOf)).toBe(alive);
  });

  test('of a later write counts, and of an earlier one does not, whatever the clocks of those who tell say', () => {
    const away = { enabled: false, status: 'inactive' };
    const left = introduce(alive, { profile: bo, standing: away, asOf: said('4', 6) });
    const back = { profile, standing: active };
    expect(introduce(left, { ...back, asOf: said('8', 5) })).toEqual(left);
    expect(learnStanding(left, active, said('8', 5))).toBe(left);
    expect(introduce(left, { ...back, asOf: said('2', 7) })).toMatchObject({ profile, ...active });
    expect(learnStanding(left, active, said('2', 7))).toMatchObject(active);
  });

  test('may be old news of the one and news of the other', () => {
    const known: Member = { ...alive, profileAsOf: said('9') };
    expect(
      introduce(known, {
        profile: bo,
        standing: { enabled: false, status: 'active' },
        asOf: said('5'),
      }),
    ).toEqual({
      ...known,
      enabled: false,
      standingAsOf: said('5'),
    });
    const standing: Member = { ...alive, standingAsOf: said('9') };
    expect(
      introduce(standing, {
        profile: bo,
        standing: { enabled: false, status: 'inactive' },
        asOf: said('5'),
      }),
    ).toEqual({
      ...standing,
      profile: bo,
      profileAsOf: said('5'),
    });
  });

  test.each([
    ['deleted', deleted],
    ['merged', merged],
    ['anonymized', nameless],
  ])('does not bring back who is %s', (_state, gone) => {
    expect(introduce(gone, { profile, standing: active, asOf: said('99') })).toBe(gone);
    expect(learnStanding(gone, active, said('99'))).toBe(gone);
  });
});

describe('what a client does', () => {
  test('counts on its day and for life', () => {
    const { activity } = count(alive, { day: today, ...earned(5) }, now);
    expect(activity).toEqual({ lifetime: earned(5), days: [{ day: today, ...earned(5) }] });
  });

  test('is forgotten by day once no window reaches it', () => {
    const { activity } = count(alive, { day: '2010-01-01', ...earned(5) }, now);
    expect(activity).toEqual({ lifetime: earned(5), days: [] });
  });

  test('counts while they are nameless, and no more once they are gone', () => {
    expect(count(nameless, { day: today, ...earned(5) }, now).activity.lifetime).toEqual(earned(5));
    expect(count(deleted, { day: today, ...earned(5) }, now)).toBe(deleted);
    expect(count(merged, { day: today, ...earned(5) }, now)).toBe(merged);
  });
});

describe('the end of a client', () => {
  const rich: Member = {
    ...count(alive, { day: today, ...earned(100) }, now),
    assignment: assigned('vip'),
    tier: heldTier(vip),
    promotedAt: earlier,
    templateIds: ['pass'],
  };

  test('an anonymized one keeps their deeds, but neither name nor standing nor assignment', () => {
    expect(anonymize(rich)).toEqual({
      ...rich,
      anonymized: true,
      profile: NO_PROFILE,
      enabled: false,
      status: 'anonymized',
      assignment: null,
    });
    expect(anonymize(deleted)).toBe(deleted);
  });

  test('a deleted one leaves a tombstone that is written over the same row', () => {
    expect(bury(rich)).toEqual({ ...strangerMember('w', 'ann'), revision: 7, state: 'deleted' });
  });

  test('a merged one stays merged, whatever is heard of a deletion', () => {
    expect(bury(merged)).toBe(merged);
  });
});

describe('a merge', () => {
  const bo: Member = { ...alive, id: 'bo', revision: 3 };
  const into = (target: Partial<Member>, source: Partial<Member>, rules = programme) =>
    mergeMembers({ ...bo, ...target }, { ...alive, ...source }, rules);

  test('leaves a tombstone that names who took over', () => {
    const { source } = into({}, {});
    expect(source).toEqual({
      ...strangerMember('w', 'ann'),
      revision: 7,
      state: 'merged',
      mergedInto: 'bo',
    });
  });

  test('adds up what both did and keeps who the target is', () => {
    const { target } = into(
      count(bo, { day: today, ...earned(1) }, now),
      count(alive, { day: today, ...earned(10) }, now),
    );
    expect(target).toEqual({
      ...bo,
      activity: { lifetime: earned(11), days: [{ day: today, ...earned(11) }] },
    });
  });

  test('keeps the higher tier, with its date', () => {
    const high = { tier: heldTier(gold), promotedAt: earlier };
    const low = { tier: heldTier(bronze), promotedAt: later };
    expect(into(low, high).target).toMatchObject(high);
    expect(into(high, low).target).toMatchObject(high);
    expect(into({}, high).target).toMatchObject(high);
    expect(into(high, {}).target).toMatchObject(high);
    const since = { tier: heldTier(gold), promotedAt: later };
    expect(into(since, high).target).toMatchObject(since);
  });

  test('keeps the assignment to the higher tier', () => {
    const [lower, higher] = [assigned('vip'), assigned('top')];
    expect(into({ assignment: lower }, { assignment: higher }).target.assignment).toBe(higher);
    expect(into({ assignment: higher }, { assignment: lower }).target.assignment).toBe(higher);
    expect(into({}, { assignment: lower }).target.assignment).toBe(lower);
    expect(into({ assignment: lower }, {}).target.assignment).toBe(lower);
    expect(into({}, {}).target.assignment).toBeNull();
  });

  test('ends an assignment to a lower tier than the other one is in', () => {
    const staff = tier('staff', 1, 'exclusive');
    const rules = { ...programme, tiers: [bronze, staff, gold, vip, top] };
    const low = { tier: heldTier(staff), promotedAt: later, assignment: assigned('staff') };
    const high = { tier: heldTier(gold), promotedAt: earlier };
    for (const { target } of [into(low, high, rules), into(high, low, rules)])
      expect(target).toMatchObject({ ...high, assignment: null });
    const lower = { tier: heldTier(bronze), promotedAt: earlier };
    for (const { target } of [into(low, lower, rules), into(lower, low, rules)])
      expect(target).toMatchObject(low);
  });

  test('prefers an assignment to a tier that stands, and the own one where none does', () => {
    const [gone, stands] = [assigned('gone'), assigned('vip')];
    expect(into({ assignment: gone }, { assignment: stands }).target.assignment).toBe(stands);
    const without = mergeMembers(
      { ...bo, assignment: gone },
      { ...alive, assignment: stands },
      null,
    );
    expect(without.target.assignment).toBe(gone);
  });

  test('keeps the rules that gave what it keeps', () => {
    const given = (rule: string) => ({ givenBy: { chain: [rule], depth: 1 } });
    const low = { tier: heldTier(bronze), promotedAt: earlier, ...given('low') };
    const high = { tier: heldTier(gold), promotedAt: earlier, ...given('high') };
    expect(into(low, high).target).toMatchObject(given('high'));
    expect(into(high, low).target).toMatchObject(given('high'));
    expect(into(given('low'), { ...high, givenBy: null }).target.givenBy).toBeNull();
    const assignedLow = { assignment: assigned('vip'), ...given('low') };
    const assignedHigh = { assignment: assigned('top'), ...given('high') };
    expect(into(assignedLow, assignedHigh).target).toMatchObject(given('high'));
    expect(into(assignedHigh, assignedLow).target).toMatchObject(given('high'));
    expect(into(assignedHigh, { ...high, ...given('own') }).target).toMatchObject(given('high'));
  });

  test('has lapsed only where both had', () => {
    expect(into({ lapsed: true }, { lapsed: true }).target.lapsed).toBe(true);
    expect(into({ lapsed: true }, {}).target.lapsed).toBe(false);
    expect(into({}, { lapsed: true }).target.lapsed).toBe(false);
  });

  test('takes nothing from who is gone, and gives nothing to who is gone', () => {
    const doing = count(alive, { day: today, ...earned(10) }, now);
    const gone = into({}, { ...deleted });
    expect(gone.target).toEqual(bo);
    expect(gone.source).toMatchObject({ state: 'merged', mergedInto: 'bo' });
    const again = into({}, { ...merged, mergedInto: 'cy' });
    expect(again).toEqual({ target: bo, source: { ...merged, mergedInto: 'cy' } });
    const late = into({ state: 'deleted' }, doing);
    expect(late.target).toEqual({ ...bo, state: 'deleted' });
    expect(late.source).toMatchObject({ state: 'merged', mergedInto: 'bo' });
  });
});

describe('settling', () => {
  const settled = (member: Member, options: { before?: HeldTier | null } = {}, rules = programme) =>
    settle(member, rules, { mode: 'review', now, ...options });
  const rich = count(alive, { day: today, ...earned(100) }, now);
  const inGold: Member = { ...rich, tier: heldTier(gold), promotedAt: earlier };

  test('a promotion is dated, held and announced', () => {
    const { member, move } = settled(rich);
    expect(member).toEqual({ ...rich, tier: heldTier(gold), promotedAt: now });
    expect(move).toEqual({
      clientId: 'ann',
      from: null,
      to: { id: 'gold', name: 'GOLD', sort_order: 2, kind: 'auto' },
      promoted: true,
      assigned: false,
      expiresAt: null,
      undoes: null,
      at: now,
    });
  });

  test('who stays where they are keeps the date, and nothing is announced', () => {
    expect(settled(inGold)).toEqual({ member: inGold, move: null });
  });

  test('a demotion is announced as one', () => {
    const poor: Member = { ...alive, tier: heldTier(gold), promotedAt: earlier };
    const { member, move } = settled(poor);
    expect(member).toMatchObject({ tier: { id: 'bronze' }, promotedAt: now });
    expect(move).toMatchObject({ from: { id: 'gold' }, to: { id: 'bronze' }, promoted: false });
  });

  test('who may have no tier loses it, with its date', () => {
    const { member, move } = settled({ ...inGold, enabled: false });
    expect(member).toMatchObject({ tier: null, promotedAt: null });
    expect(move).toMatchObject({ from: { id: 'gold' }, to: null, promoted: false });
    expect(settled({ ...alive, enabled: false }).move).toBeNull();
  });

  test('who has a tier when the set is taken away loses it', () => {
    const { member, move } = settle(inGold, null, { mode: 'review', now });
    expect(member).toMatchObject({ tier: null, promotedAt: null });
    expect(move).toMatchObject({ from: { id: 'gold' }, to: null, promoted: false });
  });

  test('an assignment is announced with its end', () => {
    const given: Member = { ...inGold, assignment: assigned('vip', later) };
    expect(settled(given).move).toMatchObject({
      to: { id: 'vip' },
      promoted: true,
      assigned: true,
      expiresAt: later,
    });
    const ended: Member = { ...given, tier: heldTier(vip), assignment: assigned('vip', earlier) };
    const { member, move } = settled(ended);
    expect(member.assignment).toBeNull();
    expect(move).toMatchObject({ to: { id: 'gold' }, assigned: false, expiresAt: null });
  });

  test('what the member remembers is brought up to date, and a renamed tier is no move', () => {
    const renamed: Member = { ...inGold, tier: { ...heldTier(gold), name: 'OLD', sort_order: 1 } };
    expect(settled(renamed)).toEqual({ member: inGold, move: null });
  });

  test('a move is announced from where the caller says it began', () => {
    expect(settled(inGold, { before: null }).move).toMatchObject({ from: null, promoted: true });
    expect(settled(inGold, { before: heldTier(bronze) }).move).toMatchObject({
      from: { id: 'bronze' },
      promoted: true,
    });
    expect(settled(rich, { before: heldTier(gold) }).move).toBeNull();
  });

  test('the tier left is ranked by where it stands today, if it still stands', () => {
    const remembered = (id: string, sort_order: number): HeldTier => ({
      ...heldTier(bronze),
      id,
      sort_order,
    });
    const from = (before: HeldTier) => settled(inGold, { before }).move;
    expect(from(remembered('bronze', 99))).toMatchObject({ promoted: true });
    expect(from(remembered('top', 0))).toMatchObject({ promoted: false });
    expect(from(remembered('gone', 99))).toMatchObject({ promoted: false });
    expect(from(remembered('gone', 0))).toMatchObject({ promoted: true });
  });

  test('the tier left is called as it is today, if it still stands, else as the member remembers it', () => {
    const poor: Member = {
      ...alive,
      tier: { id: 'gold', name: 'OLD', sort_order: 9, kind: 'auto' },
    };
    expect(settled(poor).move!.from).toEqual(heldTier(gold));
    expect(settle(poor, null, { mode: 'review', now }).move!.from).toEqual(poor.tier);
    const gone = { ...poor.tier!, id: 'gone' };
    expect(settled(poor, { before: gone }).move!.from).toEqual(gone);
  });

  test('a lapse and the next review are remembered', () => {
    const lookingBack = { ...programme, lookbackDays: 30 };
    const once = count(alive, { day: '2026-01-01', ...earned(100) }, now);
    const poor: Member = { ...once, tier: heldTier(gold), promotedAt: earlier };
    expect(settled(poor, {}, lookingBack).member).toMatchObject({ lapsed: true, dueAt: null });
    const fresh = settle(poor, lookingBack, { mode: 'activity', now });
    expect(fresh.member).toMatchObject({ tier: { id: 'gold' }, lapsed: false, dueAt: now });
  });
});

describe('the rules that alone led to a tier', () => {
  const rules = { chain: ['rule'], depth: 1 };
  const rich = count(alive, { day: today, ...earned(100) }, now);
  const consequence = { mode: 'consequence', now, rules } as const;
  const gifted = settle(rich, programme, consequence).member;
  const given: Member = { ...rich, assignment: assigned('vip', later), givenBy: rules };
  const inVip = settle(given, programme, { mode: 'activity', now }).member;
  const poor = (member: Member): Member => ({ ...member, activity: NO_ACTIVITY });

  test('are remembered until the client does something, and not while a review finds the tier held', () => {
    expect(gifted).toMatchObject({ tier: { id: 'gold' }, givenBy: rules });
    const others = { ...consequence, rules: { chain: ['other'], depth: 1 } };
    expect(settle(gifted, programme, others).member.givenBy).toEqual(rules);
    expect(settle(gifted, programme, { mode: 'review', now }).member.givenBy).toEqual(rules);
    expect(settle(gifted, programme, { mode: 'activity', now }).member.givenBy).toBeNull();
    expect(settle(rich, programme, { mode: 'activity', now }).member.givenBy).toBeNull();
  });

  test('are named by what takes the tier away, and forgotten with it', () => {
    const { member, move } = settle(poor(gifted), programme, { mode: 'review', now });
    expect(move).toMatchObject({ to: { id: 'bronze' }, promoted: false, undoes: rules });
    expect(member.givenBy).toBeNull();
    const left = settle({ ...gifted, enabled: false }, programme, { mode: 'activity', now });
    expect(left).toMatchObject({ move: { to: null, undoes: rules }, member: { givenBy: null } });
  });

  test('are not named by a promotion, which takes nothing', () => {
    const beginner = settle(alive, programme, consequence).member;
    expect(beginner).toMatchObject({ tier: { id: 'bronze' }, givenBy: rules });
    const risen = count(beginner, { day: today, ...earned(100) }, now);
    const { member, move } = settle(risen, programme, { mode: 'activity', now });
    expect(move).toMatchObject({ to: { id: 'gold' }, promoted: true, undoes: null });
    expect(member.givenBy).toBeNull();
  });

  test('and gave an assignment are remembered whatever the client does, until it ends', () => {
    expect(inVip).toMatchObject({ tier: { id: 'vip' }, givenBy: rules });
    const away = settle({ ...inVip, enabled: false }, programme, { mode: 'activity', now });
    expect(away).toMatchObject({ move: { to: null, undoes: rules }, member: { givenBy: rules } });
    const { member, move } = settle(inVip, programme, { mode: 'review', now: later });
    expect(move).toMatchObject({ to: { id: 'gold' }, promoted: false, undoes: rules });
    expect(member.givenBy).toBeNull();
    const freed = settle({ ...inVip, assignment: null }, programme, { mode: 'review', now });
    expect(freed.move).toMatchObject({ undoes: rules });
  });

  test('are named by the end of an assignment that kept a client below the tier due', () => {
    const lowly = { ...programme, tiers: [bronze, { ...vip, sort_order: 1 }, gold] };
    const { move } = settle(inVip, lowly, { mode: 'review', now: later });
    expect(move).toMatchObject({ to: { id: 'gold' }, promoted: true, undoes: rules });
  });
});

test('what a decision rests on is what the member is', () => {
  const held: Member = {
    ...alive,
    assignment: assigned('vip'),
    tier: heldTier(vip),
    lapsed: true,
  };
  expect(factsOf(held)).toEqual({
    eligible: true,
    assignment: assigned('vip'),
    tierId: 'vip',
    lapsed: true,
    activity: NO_ACTIVITY,
  });
  expect(factsOf(strangerMember('w', 'ann'))).toMatchObject({ eligible: false, tierId: null });
});

import { isLater, type Position, takenOver } from '@laurel/values/position';
import {
  type Activity,
  addOnDay,
  type DayTally,
  mergeActivities,
  NO_ACTIVITY,
  withoutForgottenDays,
} from './activity';
import type { Chain } from './chain';
import { type Assignment, evaluate, type Facts, type Mode } from './evaluate';
import { compareStandings, type Programme, type Tier, type TierKind } from './programme';

/** A tier as a member remembers it, also when it is gone. */
export interface HeldTier {
  id: string;
  name: string;
  sort_order: number;
  kind: TierKind;
}

export interface Profile {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** `name=value` of each custom field, what filters compare. */
  customFields: string[];
}

/** Where something stands among all that the clients service says of a client; `at` is a moment and what tells two of it apart. */
export type Said = Position<string>;

/** What this service knows of one client. */
export interface Member {
  id: string;
  workspaceId: string;
  /** 0 before it was ever written. */
  revision: number;
  /** Deleted clients and those merged into another stay behind as tombstones. */
  state: 'alive' | 'deleted' | 'merged';
  mergedInto: string | null;
  anonymized: boolean;
  /** Position of the newest event that the profile comes from; null while the client is only a number. */
  profileAsOf: Said | null;
  profile: Profile;
  /** Position of what enrolment and status come from. */
  standingAsOf: Said | null;
  enabled: boolean;
  status: string;
  activity: Activity;
  assignment: Assignment | null;
  tier: HeldTier | null;
  /** The rules that gave the assignment, or else alone led to the tier; null where the client did, or a person. */
  givenBy: Chain | null;
  promotedAt: Date | null;
  lapsed: boolean;
  dueAt: Date | null;
  templateIds: string[];
}

export const NO_PROFILE: Profile = {
  firstName: null,
  lastName: null,
  email: null,
  customFields: [],
};

/** A client of whom something arrived before anybody introduced them. */
export function strangerMember(workspaceId: string, id: string): Member {
  return {
    id,
    workspaceId,
    revision: 0,
    state: 'alive',
    mergedInto: null,
    anonymized: false,
    profileAsOf: null,
    profile: NO_PROFILE,
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
  };
}

export function isEligible({ state, enabled, status }: Member): boolean {
  return state === 'alive' && enabled && status === 'active';
}

export interface Standing {
  enabled: boolean;
  status: string;
}

/** What is said of a client, and as of which position. */
export interface Introduction {
  profile: Profile;
  standing: Standing;
  asOf: Said;
}

/** Takes over what a client is now, unless something newer is known; nothing brings back the erased. */
export function introduce(member: Member, { profile, standing, asOf }: Introduction): Member {
  if (member.state !== 'alive' || member.anonymized) return member;
  const known = learnStanding(member, standing, asOf);
  if (!isLater(asOf, member.profileAsOf)) return known;
  return { ...known, profile, profileAsOf: takenOver(asOf, member.profileAsOf) };
}

/** Takes over enrolment and status alone, e.g. as the clients service just gave them. */
export function learnStanding(member: Member, { enabled, status }: Standing, asOf: Said): Member {
  if (member.state !== 'alive' || member.anonymized) return member;
  if (!isLater(asOf, member.standingAsOf)) return member;
  return { ...member, enabled, status, standingAsOf: takenOver(asOf, member.standingAsOf) };
}

/** Counts what a client did on a day. */
export function count(member: Member, { day, ...delta }: DayTally, now: Date): Member {
  if (member.state !== 'alive') return member;
  const activity = withoutForgottenDays(addOnDay(member.activity, day, delta), now);
  return { ...member, activity };
}

/** Forgets who a client is; there is no way back. */
export function anonymize(member: Member): Member {
  if (member.state !== 'alive') return member;
  return {
    ...member,
    anonymized: true,
    profile: NO_PROFILE,
    enabled: false,
    status: 'anonymized',
    assignment: null,
  };
}

/** A tombstone: late events about a deleted client find it and stop. */
export function bury(member: Member): Member {
  if (member.state === 'merged') return member;
  return { ...blank(member), state: 'deleted' };
}

/**
 * Makes the source part of the target: what they did is summed, and the higher tier is kept. Of two
 * assignments the one to the higher tier stays, unless one of them is in a higher tier still: the assignment would outrank it.
 */
export function mergeMembers(
  target: Member,
  source: Member,
  programme: Programme | null,
): { target: Member; source: Member } {
  const tombstone: Member = { ...blank(source), state: 'merged', mergedInto: target.id };
  if (source.state !== 'alive')
    return { target, source: source.state === 'merged' ? source : tombstone };
  if (target.state !== 'alive') return { target, source: tombstone };
  const assignments = [target.assignment, source.assignment].filter((one) => one !== null);
  const tierOf = ({ tierId }: Assignment) =>
    programme?.tiers.find(({ id }) => id === tierId) ?? null;
  const [assignment] = assignments.sort((a, b) => compareStandings(tierOf(b), tierOf(a)));
  const takesOver = compareStandings(source.tier, target.tier) > 0;
  const highest = takesOver ? source.tier : target.tier;
  const outranks = assignment !== undefined && compareStandings(tierOf(assignment), highest) >= 0;
  const isOfSource = outranks ? assignment === source.assignment : takesOver;
  const merged: Member = {
    ...target,
    activity: mergeActivities(target.activity, source.activity),
    assignment: outranks ? assignment : null,
    lapsed: target.lapsed && source.lapsed,
    ...(takesOver ? { tier: source.tier, promotedAt: source.promotedAt } : {}),
    givenBy: (isOfSource ? source : target).givenBy,
  };
  return { target: merged, source: tombstone };
}

function blank(member: Member): Member {
  return { ...strangerMember(member.workspaceId, member.id), revision: member.revision };
}

/** A change of tier, to be announced and remembered. */
export interface Move {
  clientId: string;
  from: HeldTier | null;
  to: HeldTier | null;
  promoted: boolean;
  assigned: boolean;
  expiresAt: Date | null;
  /** The rules that had given what it takes away; null where it takes nothing, or nothing that rules alone gave. */
  undoes: Chain | null;
  at: Date;
}

interface Settling {
  mode: Mode;
  now: Date;
  /** The tier that the change is announced from, where that is not the one held. */
  before?: HeldTier | null;
  /** The rules that led here, where rules alone did. */
  rules?: Chain | null;
}

/** Puts a member where it belongs now. `move` is null when nothing is to be announced. */
export function settle(
  member: Member,
  programme: Programme | null,
  { mode, now, before = member.tier, rules = null }: Settling,
): { member: Member; move: Move | null } {
  const { tier, assignment, lapsed, dueAt } = evaluate(factsOf(member), programme, { mode, now });
  const to = tier ? heldTier(tier) : null;
  const keptSince = to?.id === member.tier?.id ? member.promotedAt : now;
  const promotedAt = to ? keptSince : null;
  const settled = { ...member, tier: to, promotedAt, assignment, lapsed, dueAt };
  const givenBy = giversOf(member, settled, { mode, rules });
  const isSame = (to?.id ?? null) === (before?.id ?? null);
  const move = isSame ? null : moveOf(settled, before, { programme, now });
  return {
    member: { ...settled, givenBy },
    move: move && { ...move, undoes: undoneBy(move, member) },
  };
}

/** The rules that alone led to where a member is once it is settled. */
function giversOf(
  { tier: held, givenBy }: Member,
  { tier, assignment }: Member,
  { mode, rules }: { mode: Mode; rules: Chain | null },
): Chain | null {
  // Noted when it was given: what the client does meanwhile makes it no longer.
  if (assignment) return givenBy;
  if (!tier || mode === 'activity') return null;
  return tier.id === held?.id ? givenBy : rules;
}

/** A promotion takes nothing away, unless it ends an assignment. */
function undoneBy({ promoted }: Omit<Move, 'undoes'>, { tier, givenBy }: Member): Chain | null {
  return promoted && tier?.kind !== 'exclusive' ? null : givenBy;
}

export function factsOf(member: Member): Facts {
  const { assignment, tier, lapsed, activity } = member;
  return { eligible: isEligible(member), assignment, tierId: tier?.id ?? null, lapsed, activity };
}

export function heldTier({ id, name, sort_order, kind }: Tier): HeldTier {
  return { id, name, sort_order, kind };
}

function moveOf(
  { id, tier: to, assignment }: Member,
  before: HeldTier | null,
  { programme, now }: { programme: Programme | null; now: Date },
): Omit<Move, 'undoes'> {
  // The tier left is called and ranked as it is today, if it still stands.
  const standing = programme?.tiers.find((tier) => tier.id === before?.id);
  const from = standing ? heldTier(standing) : before;
  const assigned = to !== null && assignment?.tierId === to.id;
  return {
    clientId: id,
    from,
    to,
    promoted: compareStandings(to, from) > 0,
    assigned,
    expiresAt: assigned ? assignment.expiresAt : null,
    at: now,
  };
}

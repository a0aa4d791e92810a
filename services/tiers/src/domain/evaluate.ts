import {
  type Activity,
  leavesWindowAt,
  measure,
  scaled,
  since,
  type Tally,
  tallyWithin,
  windowStart,
} from './activity';
import { type Condition, compareStandings, type Programme, type Rung } from './programme';

/** An exclusive tier given by hand. */
export interface Assignment {
  tierId: string;
  assignedAt: Date;
  /** null: until it is taken away. */
  expiresAt: Date | null;
}

/** What a decision about a client's tier rests on. */
export interface Facts {
  /** Enrolled and active: no other client has a tier. */
  eligible: boolean;
  assignment: Assignment | null;
  /** The tier held so far, by whatever right. */
  tierId: string | null;
  /** The tier was lost for want of recent activity, and nothing happened since but what rules did. */
  lapsed: boolean;
  activity: Activity;
}

/**
 * `activity`: something happened to the client, who can only rise, even by a refund, which lowers what they spent.
 * `consequence`: as `activity`, but rules alone led to it. It ends no lapse: a rule that gives points to who lost a tier would
 * give them the tier back, the next review would take it again, and the rule would fire anew.
 * `review`: the periodic job, a resync or the end of an assignment, which also demotes (part 3, section 5); after a refund
 * that is at once where the rest no longer holds the tier.
 */
export type Mode = 'activity' | 'consequence' | 'review';

export interface Verdict<T extends Rung> {
  tier: T | null;
  /** What is left of the assignment: null when it ended, or when its tier is gone. */
  assignment: Assignment | null;
  lapsed: boolean;
  /** When a review may find something to demote; null when only an event can change that. */
  dueAt: Date | null;
}

/** The tier due to a client. Pure: the periodic job, events, previews and assignments all ask this. */
export function evaluate<T extends Rung>(
  facts: Facts,
  programme: Programme<T> | null,
  { mode, now }: { mode: Mode; now: Date },
): Verdict<T> {
  const assignment = standingAssignment(facts.assignment, programme, now);
  const settled = { assignment, lapsed: facts.lapsed, dueAt: null };
  if (!programme || !facts.eligible) return { ...settled, tier: null };
  if (assignment) return { ...settled, tier: findTier(programme, assignment.tierId) };
  const current = autoTier(programme, facts.tierId);
  // What was held by an assignment or in a tier that is gone is replaced even while the set rests.
  const hasFallen = facts.tierId !== null && current === null;
  if (!programme.active && !hasFallen) return { ...settled, tier: current };
  const best = highestQualified(programme, betterMeasure(facts.activity, programme, now));
  const recent = highestQualified(programme, windowMeasure(facts.activity, programme, now));
  // While the set rests no review takes anything: who falls then has what the whole of a life is enough for.
  const isDemoted = hasFallen && programme.active;
  const verdict = decide({ current, best, recent, isDemoted, lapsed: facts.lapsed, mode });
  const { tier } = verdict;
  const dueAt = nextReview(programme, { tier, recent, activity: facts.activity, now });
  return { assignment, ...verdict, dueAt };
}

interface Standings<T> {
  current: T | null;
  /** Qualified for by the better of lifetime and window. */
  best: T | null;
  /** Qualified for within the window. */
  recent: T | null;
  /** The tier held is gone, or its assignment is: what follows goes by the window, as any demotion. */
  isDemoted: boolean;
  lapsed: boolean;
  mode: Mode;
}

function decide<T extends Rung>(standings: Standings<T>): { tier: T | null; lapsed: boolean } {
  const { current, best, recent, isDemoted, lapsed, mode } = standings;
  if (mode === 'activity') return { tier: higher(current, best), lapsed: false };
  if (mode === 'consequence') return { tier: higher(current, lapsed ? recent : best), lapsed };
  if (isDemoted || compareStandings(recent, current) < 0)
    return { tier: recent, lapsed: lapsed || compareStandings(recent, best) < 0 };
  // A review may not give back what the last one took while nothing happened in between.
  return { tier: higher(current, lapsed ? recent : best), lapsed };
}

function higher<T extends Rung>(a: T | null, b: T | null): T | null {
  return compareStandings(b, a) > 0 ? b : a;
}

function standingAssignment(
  assignment: Assignment | null,
  programme: Programme<Rung> | null,
  now: Date,
): Assignment | null {
  if (!assignment || !programme) return null;
  if (assignment.expiresAt !== null && assignment.expiresAt <= now) return null;
  return findTier(programme, assignment.tierId)?.kind === 'exclusive' ? assignment : null;
}

function findTier<T extends Rung>({ tiers }: Programme<T>, id: string | null): T | null {
  return tiers.find((tier) => tier.id === id) ?? null;
}

function autoTier<T extends Rung>(programme: Programme<T>, id: string | null): T | null {
  const tier = findTier(programme, id);
  return tier?.kind === 'auto' ? tier : null;
}

export type Measure = (condition: Condition) => number;

export function measureOf(tally: Tally): Measure {
  return (condition) => measure(tally, condition);
}

export function windowMeasure(
  activity: Activity,
  { lookbackDays }: { lookbackDays: number },
  now: Date,
): Measure {
  return measureOf(tallyWithin(activity, now, lookbackDays));
}

/** Promotion looks at the better of lifetime and window, condition by condition. */
export function betterMeasure(
  activity: Activity,
  programme: { lookbackDays: number },
  now: Date,
): Measure {
  const lifetime = measureOf(activity.lifetime);
  const recent = windowMeasure(activity, programme, now);
  return (condition) => Math.max(lifetime(condition), recent(condition));
}

/** The conditions of the set that a tier names; a tier naming none is entered by everyone enrolled. */
export function conditionsOf(tier: Rung, conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ type }) => tier.condition_values[type] !== undefined);
}

export function thresholdOf(tier: Rung, { type }: Condition): number {
  return scaled(type, tier.condition_values[type]!);
}

function highestQualified<T extends Rung>(
  { tiers, conditions }: Programme<T>,
  valueFor: Measure,
): T | null {
  const isQualified = (tier: T) =>
    tier.kind === 'auto' &&
    conditionsOf(tier, conditions).every(
      (condition) => valueFor(condition) >= thresholdOf(tier, condition),
    );
  return tiers.findLast(isQualified) ?? null;
}

function nextReview(
  { active, lookbackDays }: Programme<Rung>,
  {
    tier,
    recent,
    activity,
    now,
  }: { tier: Rung | null; recent: Rung | null; activity: Activity; now: Date },
): Date | null {
  if (!active || !tier) return null;
  if (compareStandings(recent, tier) < 0) return now;
  if (lookbackDays === 0) return null;
  const [oldest] = since(activity.days, windowStart(now, lookbackDays));
  return oldest ? leavesWindowAt(oldest.day, lookbackDays) : null;
}

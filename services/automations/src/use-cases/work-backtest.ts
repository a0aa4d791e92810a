import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Effort, newEffort, takenOf } from '@laurel/cel';
import type { TriggerType } from '@laurel/contract';
import { isOutage } from '@laurel/events';
import type { clients as clientsApi } from '@laurel/rpc';
import { PIECE_LEASE_MS, type PieceJob, type Process } from '@laurel/work';
import type { Deps } from '../deps';
import { metricsAskedBy } from '../domain/asked';
import { EMPTY_TALLY, type Tally, withMatch } from '../domain/backtest';
import { periodOf } from '../domain/days';
import { type Facts, whyNotFor } from '../domain/facts';
import type { ClientHistory } from '../domain/history';
import { doesNothing } from '../domain/plan';
import { AWAY_MS } from '../domain/retry';
import { isWithinWindow, zoneOf } from '../domain/rule';
import { matches, type Trigger } from '../domain/trigger';
import { limitPassed, NO_USAGE, type Usage, withExecution } from '../domain/usage';
import type { ClaimedBacktest } from '../store/backtests';
import { considerRule } from './consider-rule';
import { gatherFacts } from './gather-facts';
import { readHistory } from './read-history';
import { storedTriggers } from './triggers-of';

const DAY_MS = 86_400_000;
const EVENTS_PER_PAGE = 1_000;
/** A stretch of time with more events than this is read in shorter ones, so that so many are held at once. */
const EVENTS_HELD = 5_000;
/** After a stretch with no more than this the next one is longer: of a long time most may be from before the workspace. */
const EVENTS_FEW = 500;
const ATTEMPTS_MAX = 5;
/** Of so many clients what was read is kept for their next event. */
const CLIENTS_KEPT = 2_000;
/** How long events are replayed until others have their turn: of clients who are known nothing is waited for. */
const TURN_MS = 10;
/** What formulas may take at once, in times of what those of one event may; each event gives a part of one back. */
const EFFORT_MAX = newEffort(100).left;
const EFFORT_PER_EVENT = newEffort(0.01).left;

/** What stands in the trail under which trigger; custom events also come as engagement. */
const CATEGORIES: Readonly<Record<TriggerType, readonly string[]>> = {
  transaction: ['transaction'],
  custom_event: ['custom', 'engagement'],
  field_change: ['field_change'],
  pass_lifecycle: ['pass_lifecycle'],
  loyalty: ['loyalty'],
  referral: ['referral'],
  time_based: [],
};

const MOVED: readonly string[] = ['points_transferred', 'points_cancelled', 'points_refunded'];
const OF_CAMPAIGN = 'campaign:';

/** Formulas that take, event after event, more than a replay of many events may. */
class TooDear extends Error {
  override readonly name = 'TooDear';
}

/** What outages begin anew for so long costs tries from then on: it may be what it asks for itself that takes too long. */
const WAITS_MS_MAX = 3_600_000;

/**
 * Works on backtests that wait for a worker, one at a time for each workspace. Events are replayed stretch by stretch in the order
 * in which they happened, with metrics as they were at each and all else of the clients as it is now; limits start unused.
 * One that dies begins again, which harms nothing: a backtest has no effect. Where a service is away, or this process is to
 * stop, it does so at no cost of its tries.
 */
export const backtestWorker = (deps: Deps): PieceJob<ClaimedBacktest> => ({
  name: 'work-backtests',
  due: deps.backtests.due,
  concurrency: 8,
  share: 1,
  leaseMs: PIECE_LEASE_MS,
  clock: deps.clock,
  work: (backtest, _claim, process) => workBacktest(deps, backtest, process),
});

async function workBacktest(
  deps: Deps,
  backtest: ClaimedBacktest,
  process: Process,
): Promise<void> {
  const giveBack = (waitMs: number) =>
    deps.backtests.giveBack(backtest, new Date(deps.clock.now().getTime() + waitMs));
  try {
    const tally = await new Replay(deps, backtest, process).run();
    if (tally) await deps.backtests.end(backtest, { status: 'completed', error: null, tally });
    else if (process.isStopping()) await giveBack(0);
  } catch (error) {
    const waitedMs = deps.clock.now().getTime() - backtest.createdAt.getTime();
    if (isOutage(error) && waitedMs < WAITS_MS_MAX) {
      deps.logger.warn({ err: error, backtest: backtest.id }, 'a backtest waits for a service');
      await giveBack(AWAY_MS);
      return;
    }
    if (error instanceof TooDear) {
      await deps.backtests.end(backtest, { status: 'failed', error: error.message });
      return;
    }
    if (backtest.attempts < ATTEMPTS_MAX) throw error;
    deps.logger.error({ err: error, backtest: backtest.id }, 'a backtest was given up');
    const outcome = { status: 'failed' as const, error: 'the events could not be replayed' };
    await deps.backtests.end(backtest, outcome);
  }
}

/** What is known of a client whose events are replayed. */
interface Known {
  facts: Facts;
  history: ClientHistory;
}

/** What the rule would have used up for one client, and when. */
interface ClientUsage extends Usage {
  times: Date[];
}

class Replay {
  private tally: Tally = EMPTY_TALLY;
  private ruleUsage: Usage = NO_USAGE;
  private readonly clientUsages = new Map<string, ClientUsage>();
  private readonly known = new Map<string, Known | null>();
  /** What is left of what formulas may take. */
  private effortLeft = EFFORT_MAX;
  private turnEndsAt = 0;

  constructor(
    private readonly deps: Deps,
    private readonly backtest: ClaimedBacktest,
    private readonly process: Process,
  ) {}

  /** The final tally; null when another process took the job over, or this one is to stop. */
  async run(): Promise<Tally | null> {
    const [from, to] = [this.backtest.from.getTime(), this.backtest.to.getTime()];
    let length = DAY_MS;
    for (let start = from; start <= to; ) {
      const last = Math.min(start + length - 1, to);
      const found = await this.eventsBetween(start, last);
      if (found === null) {
        length = Math.ceil((last - start + 1) / 2);
        continue;
      }
      for (const happened of found) {
        await this.letOthersIn();
        if (this.process.isStopping()) return null;
        await this.replay(happened);
      }
      if (!(await this.keep((last - from) / Math.max(1, to - from)))) return null;
      if (found.length <= EVENTS_FEW) length *= 2;
      start = last + 1;
    }
    return this.tally;
  }

  private keep(progress: number): Promise<boolean> {
    const done = { progress: Math.min(1, progress), tally: this.tally };
    return this.deps.backtests.advance(this.backtest, done);
  }

  /** The events of a stretch that could fire the rule, oldest first; null where they are too many and it can be shorter. */
  private async eventsBetween(from: number, to: number): Promise<Trigger[] | null> {
    const { rule, workspaceId } = this.backtest;
    const found: Trigger[] = [];
    let room = from === to ? Number.POSITIVE_INFINITY : EVENTS_HELD;
    for (const category of CATEGORIES[rule.trigger_type]) {
      let cursor: string | null | undefined;
      do {
        const page: clientsApi.EventPage = await this.deps.clients.ListEvents({
          workspace_id: workspaceId,
          event_category: category,
          from_date: new Date(from).toISOString(),
          to_date: new Date(to).toISOString(),
          limit: EVENTS_PER_PAGE,
          offset: 0,
          ...(cursor ? { cursor } : {}),
        });
        if (!cursor) room -= page.total;
        if (room < 0) return null;
        found.push(
          ...page.events
            .filter(mayFireRules)
            .flatMap((event) => toTriggers(rule.trigger_type, event)),
        );
        cursor = page.next_cursor;
      } while (cursor);
    }
    return found.sort(inOrderOfTime);
  }

  private async replay(happened: Trigger): Promise<void> {
    const { rule } = this.backtest;
    this.tally = { ...this.tally, events: this.tally.events + 1 };
    if (!matches(rule, happened) || !isWithinWindow(rule, happened.at)) return;
    const known = await this.knownOf(happened.clientId);
    if (!known || whyNotFor(known.facts, happened) !== null) return;
    const effort = newEffort();
    const verdict = await considerRule(this.deps, { rule, happened }, { ...known, effort });
    this.charge(effort);
    if (!('plan' in verdict) || doesNothing(verdict.plan)) return;
    const { points } = verdict.plan;
    const client = this.clientUsages.get(happened.clientId) ?? { ...NO_USAGE, times: [] };
    const recent = this.countWithin(client.times, happened.at, known.facts.timeZone);
    if (limitPassed(rule.limits, { rule: this.ruleUsage, client, recent }, points)) return;
    this.ruleUsage = withExecution(this.ruleUsage, points);
    const isCounted = rule.limits.executions_per_client !== undefined;
    this.clientUsages.set(happened.clientId, {
      ...withExecution(client, points),
      times: isCounted ? [...client.times, happened.at] : [],
    });
    const { eventId, clientId, at } = happened;
    this.tally = withMatch(this.tally, { eventId, clientId, at, points });
    this.tally = { ...this.tally, clients: this.clientUsages.size };
  }

  private async letOthersIn(): Promise<void> {
    if (performance.now() < this.turnEndsAt) return;
    await othersFirst();
    this.turnEndsAt = performance.now() + TURN_MS;
  }

  private charge(effort: Effort): void {
    const left = this.effortLeft + EFFORT_PER_EVENT - takenOf(effort);
    if (left < 0) throw new TooDear('the formulas of the rule take too long with these events');
    this.effortLeft = Math.min(left, EFFORT_MAX);
  }

  private countWithin(times: readonly Date[], at: Date, workspaceZone: string): number {
    const { rule } = this.backtest;
    const often = rule.limits.executions_per_client;
    if (!often || often.interval === 'lifetime') return 0;
    const { from, until } = periodOf(often.interval, at, zoneOf(rule, workspaceZone));
    return times.filter((time) => time >= from && (until === null || time < until)).length;
  }

  private async knownOf(clientId: string): Promise<Known | null> {
    const earlier = this.known.get(clientId);
    if (earlier !== undefined) return earlier;
    const { rule, workspaceId, to } = this.backtest;
    const facts = await gatherFacts(this.deps, { workspaceId, clientId });
    const asked = metricsAskedBy(rule);
    const known = facts && {
      facts,
      history: await readHistory(this.deps, { workspaceId, clientId }, { asked, until: to }),
    };
    if (this.known.size >= CLIENTS_KEPT) this.known.clear();
    this.known.set(clientId, known);
    return known;
  }
}

/** What the ledger notes of points that only moved, and campaigns of what they did, is in the trail, and fires no rule. */
function mayFireRules({ event_category, event_type, source }: clientsApi.Event): boolean {
  if (event_category === 'custom') return !source?.startsWith(OF_CAMPAIGN);
  return event_category !== 'loyalty' || !MOVED.includes(event_type);
}

/** Of events of one moment the one with the lower id came first. */
function inOrderOfTime(a: Trigger, b: Trigger): number {
  return a.at.getTime() - b.at.getTime() || (a.eventId < b.eventId ? -1 : 1);
}

function toTriggers(type: TriggerType, event: clientsApi.Event): Trigger[] {
  const { role } = (event.metadata ?? {}) as Trigger['metadata'];
  return storedTriggers(type, event).map((happened) => ({
    ...happened,
    role: role === 'referrer' || role === 'referee' ? role : null,
    externalId: happened.externalId ?? nameOfEntry(happened.metadata),
  }));
}

/** What an entry of the ledger was called by who made it: in its column the trail has that of events alone, each once. */
function nameOfEntry({ points_ledger_id, external_id }: Trigger['metadata']): string | null {
  return points_ledger_id && typeof external_id === 'string' ? external_id : null;
}

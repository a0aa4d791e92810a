import type { TriggerType } from '@laurel/contract';
import { contextOf, isOutage } from '@laurel/events';
import { createInTurn, createSharedReads, mapAtOnce, runInContext } from '@laurel/lifecycle';
import { type PageJob, PIECE_LEASE_MS } from '@laurel/work';
import type { Deps } from '../deps';
import { AWAY_MS, FAULTS_MAX, retryMs } from '../domain/retry';
import type { Rule } from '../domain/rule';
import type { Trigger } from '../domain/trigger';
import type { HeldTrigger } from '../store/trigger-backlog';
import type { TriggeringEvent } from '../store/triggering-events';
import { fireRules, rulesAskingFor } from './fire-rules';
import { triggersOf } from './triggers-of';

/** Events of one workspace that rules run over at once, straight from the queue: few, for all share the process. */
const SHARE = 8;
/** Beyond those so many wait for them in memory, of one workspace and of all; what comes in greater numbers is put aside. */
const PATIENT_SHARE = 24;
const PATIENT_MAX = 128;
/** Those that waited are taken up and done with in pages; so many of a page are worked on at once. */
const BACKLOG_PAGE = 16;
const BACKLOG_AT_ONCE = 4;
/** How many of them are in hand, of one workspace and of all. */
const BACKLOG_SHARE = 2 * BACKLOG_PAGE;
const BACKLOG_CONCURRENCY = 4 * BACKLOG_PAGE;
/** What passes names as the source of what it records for the staff app. */
const TILL = 'mobile';

export interface Triggers {
  /** Lets rules run over an event, or keeps it until its workspace has its turn. */
  take(event: TriggeringEvent): Promise<void>;
  /** Works off what was kept. */
  readonly backlog: PageJob<HeldTrigger>;
}

/** The events of one workspace that are in hand: at work, and waiting for one of those to end. */
interface Hand {
  working: number;
  patient: (() => void)[];
}

/** What of one workspace was put aside since something waits: being written, and written. */
interface PutAside {
  writing: number;
  written: number;
}

/**
 * Lets rules run over events as they come. A workspace that floods the queue would make all others wait behind it: what
 * comes of one while many of its events are in hand is put aside in one write, and worked off in turns with the backlogs
 * of others. A few wait in hand instead, which costs the store nothing. Where something of a workspace waits, what comes
 * later waits behind it. What no rule asks for costs a read that all events of that moment share (docs/adr/0026).
 */
export function createTriggers(deps: Deps, soon: () => void): Triggers {
  const hands = createHands();
  const aside = createAside(deps);
  const inLane = createInTurn();
  const asOneOf = createWorkCount();
  const activeRules = createSharedReads((workspaceId: string, type: TriggerType) =>
    deps.rules.listActive(workspaceId, type),
  );

  async function take(event: TriggeringEvent): Promise<void> {
    const { workspaceid: workspaceId } = event;
    const wanted = await wantedOf(event, activeRules);
    if (wanted.length === 0) return noteConsidered(deps, event);
    if (aside.has(workspaceId) || hands.areFull(workspaceId)) {
      await aside.put(workspaceId, event);
      return soon();
    }
    await hands.hold(workspaceId, async () => {
      await fire(deps, wanted);
      await noteConsidered(deps, event);
    });
  }

  /** Events of one client one after the other, as they would have been from the queue. */
  async function workPage(page: readonly HeldTrigger[]): Promise<void> {
    const { workspaceId } = page[0]!;
    const listActive = readOnce(activeRules);
    const left = await asOneOf(workspaceId, async () => {
      const settled = await mapAtOnce(page, BACKLOG_AT_ONCE, (held) =>
        inLane(`${workspaceId} ${held.event.subject}`, () => workHeld(deps, held, listActive)),
      );
      const done = page.filter((_, index) => settled[index] === 'done');
      await deps.triggerBacklog.remove(workspaceId, done);
    });
    // Something of the workspace is still at work, and so left: no need to ask the store.
    if (left === 0) await aside.lookAgain(workspaceId);
  }

  return {
    take,
    backlog: {
      name: 'fire-waiting-triggers',
      due: deps.triggerBacklog.due,
      concurrency: BACKLOG_CONCURRENCY,
      share: BACKLOG_SHARE,
      page: BACKLOG_PAGE,
      leaseMs: PIECE_LEASE_MS,
      clock: deps.clock,
      workPage: (claimed) => workPage(claimed.map(({ row }) => row)),
    },
  };
}

/** What is in hand: few of each workspace at work, and some that wait for one of those to end. */
function createHands() {
  const hands = new Map<string, Hand>();
  let patient = 0;

  async function inTurn(hand: Hand): Promise<void> {
    patient += 1;
    await new Promise<void>((resolve) => {
      hand.patient.push(resolve);
    });
    patient -= 1;
  }

  /** Gives the place to the one that has waited longest. */
  function letGo(workspaceId: string, hand: Hand): void {
    const next = hand.patient.shift();
    if (next) next();
    else hand.working -= 1;
    if (hand.working === 0) hands.delete(workspaceId);
  }

  return {
    /** Whether one more of a workspace can neither be worked on nor wait here. */
    areFull(workspaceId: string): boolean {
      const hand = hands.get(workspaceId);
      if (!hand || hand.working < SHARE) return false;
      return hand.patient.length >= PATIENT_SHARE || patient >= PATIENT_MAX;
    },

    /** Works, when its turn has come. */
    async hold(workspaceId: string, work: () => Promise<void>): Promise<void> {
      const hand = hands.get(workspaceId) ?? { working: 0, patient: [] };
      hands.set(workspaceId, hand);
      if (hand.working >= SHARE) await inTurn(hand);
      else hand.working += 1;
      try {
        await work();
      } finally {
        letGo(workspaceId, hand);
      }
    },
  };
}

/** The workspaces of which something waits, so that what comes of them waits behind it. */
function createAside({ triggerBacklog, clock }: Pick<Deps, 'triggerBacklog' | 'clock'>) {
  const waiting = new Map<string, PutAside>();
  return {
    has: (workspaceId: string): boolean => waiting.has(workspaceId),

    async put(workspaceId: string, event: TriggeringEvent): Promise<void> {
      const aside = waiting.get(workspaceId) ?? { writing: 0, written: 0 };
      waiting.set(workspaceId, aside);
      aside.writing += 1;
      try {
        await triggerBacklog.add(workspaceId, event, clock.now());
      } finally {
        aside.writing -= 1;
        aside.written += 1;
      }
    },

    /** Lets what comes be fired at once, unless more waits or was put aside while the store was asked. */
    async lookAgain(workspaceId: string): Promise<void> {
      const aside = waiting.get(workspaceId);
      if (!aside || aside.writing > 0) return;
      const { written } = aside;
      if (await triggerBacklog.hasAny(workspaceId)) return;
      if (aside.writing === 0 && aside.written === written) waiting.delete(workspaceId);
    },
  };
}

/** Does work and says how much else of the same workspace is being done at its end. */
function createWorkCount() {
  const atWork = new Map<string, number>();
  return async (workspaceId: string, work: () => Promise<void>): Promise<number> => {
    const count = (change: number): number => {
      const now = (atWork.get(workspaceId) ?? 0) + change;
      if (now === 0) atWork.delete(workspaceId);
      else atWork.set(workspaceId, now);
      return now;
    };
    count(1);
    let left = 0;
    try {
      await work();
    } finally {
      left = count(-1);
    }
    return left;
  };
}

/** Never throws what the event is to blame for: it comes up again, a bounded number of times. One that meets an outage waits for its end. */
async function workHeld(
  deps: Deps,
  held: HeldTrigger,
  listActive: ListActive,
): Promise<'done' | 'postponed'> {
  const later = (ms: number) => new Date(deps.clock.now().getTime() + ms);
  try {
    await runInContext(contextOf(held.event), async () =>
      fire(deps, await wantedOf(held.event, listActive)),
    );
    await noteConsidered(deps, held.event);
    return 'done';
  } catch (error) {
    const about = { err: error, event_id: held.id, workspace_id: held.workspaceId };
    if (isOutage(error)) {
      deps.logger.warn(about, 'an event waits for a service');
      await deps.triggerBacklog.keepWaiting(held, later(AWAY_MS));
      return 'postponed';
    }
    const isLast = held.attempts >= FAULTS_MAX;
    if (isLast) deps.logger.error(about, 'an event that waited for rules was given up');
    else deps.logger.warn(about, 'an event that waits for rules will be tried again');
    await deps.triggerBacklog.postpone(held, isLast ? null : later(retryMs(held.attempts)));
    return 'postponed';
  }
}

type ListActive = (workspaceId: string, type: TriggerType) => Promise<Rule[]>;

/** Rules as they are when the first of a page asks for them: all of its events have happened before. */
function readOnce(read: ListActive): ListActive {
  const known = new Map<TriggerType, ReturnType<ListActive>>();
  return (workspaceId, type) => {
    const answer = known.get(type) ?? read(workspaceId, type);
    known.set(type, answer);
    return answer;
  };
}

/** A happening, and the rules that ask for it. */
interface Wanted {
  happened: Trigger;
  rules: readonly Rule[];
}

/** What of an event any rule asks for. */
async function wantedOf(event: TriggeringEvent, listActive: ListActive): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  for (const happened of triggersOf(event)) {
    const active = await listActive(event.workspaceid, happened.type);
    const rules = rulesAskingFor(active, happened);
    if (rules.length > 0) wanted.push({ happened, rules });
  }
  return wanted;
}

/** At a till a customer waits to hear what a purchase earned: that it earned nothing, too (docs/adr/0036). */
async function noteConsidered(
  { consideredEvents, clock }: Pick<Deps, 'consideredEvents' | 'clock'>,
  { type, workspaceid, data }: TriggeringEvent,
): Promise<void> {
  if (type !== 'transaction.purchase' && type !== 'transaction.refund') return;
  if (data.source === TILL) await consideredEvents.add(workspaceid, data.id, clock.now());
}

// What has run is known by its execution, which is made from the event: repeating it repeats nothing.
async function fire(deps: Deps, wanted: readonly Wanted[]): Promise<void> {
  for (const { happened, rules } of wanted) await fireRules(deps, rules, happened);
}

import type { TriggerType } from '@laurel/contract';
import { EVERY_SLOT, type Slots } from '@laurel/events';
import { createSharedReads } from '@laurel/lifecycle';
import type { PageJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { HeldTrigger } from '../store/trigger-backlog';
import type { TriggeringEvent } from '../store/triggering-events';
import { type BacklogShare, createBacklogShare } from './backlog-share';
import { createUnmetRules } from './unmet-rules';
import { fireWanted, noteConsidered, wantedOf } from './wanted-rules';
import { backlogJob } from './work-backlog';

/** Events of one workspace that rules run over at once, straight from the queue: few, for all share the process. */
const SHARE = 8;
/** Beyond those so many wait for them in memory, of one workspace and of all; what comes in greater numbers is put aside. */
const PATIENT_SHARE = 24;
const PATIENT_MAX = 128;

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
 * later waits behind it, also where another process put that aside which held the slot before. What no rule asks for
 * costs a read that all events of that moment share (docs/adr/0026).
 *
 * @param soon called when there is something in the backlog to be worked off
 * @param slots those that this process holds; all there are without them
 */
export function createTriggers(deps: Deps, soon: () => void, slots: Slots = ALL_SLOTS): Triggers {
  const hands = createHands();
  const { triggerBacklog } = deps;
  const share = createBacklogShare(triggerBacklog, slots, {
    onWaiting: (workspaceId) => aside.note(workspaceId),
    onGained: soon,
  });
  const aside = createAside(deps, share);
  const unmetRules = createUnmetRules();
  const listActive = createSharedReads((workspaceId: string, type: TriggerType) =>
    deps.rules.listActive(workspaceId, type),
  );

  async function take(event: TriggeringEvent): Promise<void> {
    const { workspaceid: workspaceId } = event;
    const wanted = await wantedOf(event, listActive);
    if (wanted.length === 0) return noteConsidered(deps, event);
    await share.begun();
    if (aside.has(workspaceId) || hands.areFull(workspaceId)) {
      await aside.put(workspaceId, event);
      return soon();
    }
    await hands.hold(workspaceId, async () => {
      const unmet = unmetRules.of(event.id);
      try {
        await fireWanted(deps, wanted, unmet);
        await noteConsidered(deps, event);
      } catch (error) {
        unmetRules.keep(event.id, unmet);
        throw error;
      }
      unmetRules.forget(event.id);
    });
  }

  const onIdle = aside.lookAgain;
  return { take, backlog: backlogJob(deps, { share, listActive, onIdle, unmetRules }) };
}

/** Of a process that is alone. */
const ALL_SLOTS: Slots = {
  holds: () => true,
  held: () => EVERY_SLOT,
  use: () => () => undefined,
};

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
function createAside(
  { triggerBacklog, clock }: Pick<Deps, 'triggerBacklog' | 'clock'>,
  share: Pick<BacklogShare, 'held'>,
) {
  const waiting = new Map<string, PutAside>();

  function asideOf(workspaceId: string): PutAside {
    const aside = waiting.get(workspaceId) ?? { writing: 0, written: 0 };
    waiting.set(workspaceId, aside);
    return aside;
  }

  return {
    has: (workspaceId: string): boolean => waiting.has(workspaceId),

    /** Something was found in the store. */
    note(workspaceId: string): void {
      asideOf(workspaceId).written += 1;
    },

    async put(workspaceId: string, event: TriggeringEvent): Promise<void> {
      const aside = asideOf(workspaceId);
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
      if (await triggerBacklog.hasAny(workspaceId, share.held())) return;
      if (aside.writing === 0 && aside.written === written) waiting.delete(workspaceId);
    },
  };
}

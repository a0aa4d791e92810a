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

/**
 * Events of one workspace that rules run over at once, straight from the queue: what they ask for at the same moment is
 * asked once for all of them. What comes in greater numbers is put aside.
 */
const SHARE = 32;
/** While so many of all workspaces are in hand, each has a smaller share, which the others do not take from it. */
const BUSY = 128;
const SHARE_OF_BUSY = 8;

export interface Triggers {
  /** Lets rules run over an event, or keeps it until its workspace has its turn. */
  take(event: TriggeringEvent): Promise<void>;
  /** Works off what was kept. */
  readonly backlog: PageJob<HeldTrigger>;
}

/** What of one workspace was put aside since something waits: being written, and written. */
interface PutAside {
  writing: number;
  written: number;
}

/**
 * Lets rules run over events as they come. A workspace that floods the queue would make all others wait behind it: what
 * comes of one while many of its events are in hand is put aside in one write, and worked off in turns with the backlogs
 * of others. Where something of a workspace waits, what comes
 * later waits behind it, also where another process put that aside which held the slot before. What no rule asks for
 * costs a read that all events of that moment share (docs/adr/0026).
 *
 * @param soon called when there is something in the backlog to be worked off
 * @param slots those that this process holds; all there are without them
 */
export function createTriggers(deps: Deps, soon: () => void, slots: Slots = ALL_SLOTS): Triggers {
  const inHand = createInHand();
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
    if (aside.has(workspaceId) || inHand.isFull(workspaceId)) {
      await aside.put(workspaceId, event);
      return soon();
    }
    await inHand.hold(workspaceId, () =>
      unmetRules.during(event.id, async (unmet) => {
        await fireWanted(deps, wanted, unmet);
        await noteConsidered(deps, event);
      }),
    );
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

/** How many events of each workspace rules are running over. */
function createInHand() {
  const counts = new Map<string, number>();
  let all = 0;

  function add(workspaceId: string, change: 1 | -1): void {
    const count = (counts.get(workspaceId) ?? 0) + change;
    if (count === 0) counts.delete(workspaceId);
    else counts.set(workspaceId, count);
    all += change;
  }

  return {
    /** Whether one more of a workspace would be more than its share. */
    isFull: (workspaceId: string): boolean =>
      (counts.get(workspaceId) ?? 0) >= (all < BUSY ? SHARE : SHARE_OF_BUSY),

    async hold(workspaceId: string, work: () => Promise<void>): Promise<void> {
      add(workspaceId, 1);
      try {
        await work();
      } finally {
        add(workspaceId, -1);
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

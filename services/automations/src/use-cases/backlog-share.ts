import { InFlight, type Slots } from '@laurel/events';
import { createInTurn } from '@laurel/lifecycle';
import type { PageJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { HeldTrigger } from '../store/trigger-backlog';

type Claim = PageJob<HeldTrigger>['due']['claim'];
type Row = Pick<HeldTrigger, 'id' | 'lease' | 'slot'>;
/** A row in the hands that claimed it: it may come again in another page before its first one has landed. */
type Claimed = Pick<Row, 'id' | 'lease'>;

const nameOf = ({ id, lease }: Claimed): string => `${id} ${lease}`;

/** The part of the backlog that is this process's: what waits in the slots that it holds (docs/adr/0040). */
export interface BacklogShare {
  /** Resolves when what others left in these slots is free, and is known to `onWaiting`. At no cost but when slots have come. */
  begun(): Promise<void>;
  /** Takes up rows of these slots alone; they are in hand until they have landed. */
  claim: Claim;
  land(rows: readonly Claimed[]): void;
  /**
   * Whether a row may be begun with; what may not is to be given back. Its slot may have been another's since it was taken up,
   * who then begins with the row itself.
   */
  holds(row: Row): boolean;
  held(): readonly number[];
}

interface Listeners {
  /** Something of a workspace has waited since before this process had its slot. */
  onWaiting(workspaceId: string): void;
  /** There are more slots to look at. */
  onGained(): void;
}

/**
 * Keeps the rows of one client in one process at a time, as its queue does for the events: only who holds a slot takes up
 * its rows, and who loses it has given back or ended what it had of them before another begins. Whatever stands in a slot
 * that comes was left there by one that died, and is taken up from the oldest on.
 */
export function createBacklogShare(
  triggerBacklog: Deps['triggerBacklog'],
  slots: Slots,
  { onWaiting, onGained }: Listeners,
): BacklogShare {
  const known = new Set<number>();
  const hands = createHands(slots);
  const claims = new Set<Promise<unknown>>();
  const inTurn = createInTurn();
  let looking: Promise<void> | null = null;

  slots.use({
    gained: onGained,
    async lost(slot) {
      known.delete(slot);
      hands.lose(slot);
      await Promise.allSettled([looking, ...claims]);
      // It may have been begun with while it was let go.
      known.delete(slot);
      await hands.arrived(slot);
    },
  });

  const unknown = (): number[] => slots.held().filter((slot) => !known.has(slot));

  async function look(): Promise<void> {
    const fresh = unknown();
    // What is in hand here came with the slot before it was lost: it ends, or is given back.
    await triggerBacklog.takeOver(fresh, hands);
    for (const workspaceId of await triggerBacklog.waitingIn(fresh)) onWaiting(workspaceId);
    for (const slot of fresh) known.add(slot);
  }

  async function begun(): Promise<void> {
    while (unknown().length > 0) {
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
    }
  }

  async function claimed(...[room, wanted]: Parameters<Claim>): ReturnType<Claim> {
    await begun();
    const held = [...slots.held()];
    if (held.length === 0) return [];
    const takeUp = hands.begin();
    let own: Awaited<ReturnType<Claim>> = [];
    try {
      const rows = await triggerBacklog.claim(held, room, wanted);
      own = rows.filter(({ row }) => takeUp(row));
      for (const each of rows) if (!own.includes(each)) await triggerBacklog.giveBack(each.row);
      return own;
    } catch (error) {
      hands.land(own.map(({ row }) => row));
      // What may be claimed now is in no hands: it is freed before more is taken up, which would overtake it.
      known.clear();
      throw error;
    }
  }

  return {
    begun,
    claim(room, wanted) {
      // One after the other: what one has claimed and not heard of yet must not count as left behind.
      const claiming: ReturnType<Claim> = inTurn('claim', () => claimed(room, wanted)).finally(() =>
        claims.delete(claiming),
      );
      claims.add(claiming);
      return claiming;
    },
    land: hands.land,
    holds: hands.holds,
    held: () => slots.held(),
  };
}

/** The rows in hand, and whether their slots have been this process's since they were taken up. */
function createHands(slots: Slots) {
  const inFlight = new InFlight();
  /** How often each slot was lost, now and when each row was taken up. */
  const losses = new Map<number, number>();
  const takenUp = new Map<string, number | undefined>();
  const holds = (row: Row): boolean =>
    slots.holds(row.slot) && losses.get(row.slot) === takenUp.get(nameOf(row));

  return {
    holds,
    has: (claimed: Claimed): boolean => takenUp.has(nameOf(claimed)),
    arrived: (slot: number): Promise<void> => inFlight.arrived(slot),
    lose: (slot: number) => losses.set(slot, (losses.get(slot) ?? 0) + 1),

    /** Called before rows are claimed; what it gives takes one up, and is false where its slot was lost meanwhile. */
    begin() {
      const before = new Map(losses);
      return (row: Row): boolean => {
        const { slot } = row;
        if (!slots.holds(slot) || losses.get(slot) !== before.get(slot)) return false;
        takenUp.set(nameOf(row), before.get(slot));
        inFlight.add(nameOf(row), slot);
        return true;
      };
    },

    land(rows: readonly Claimed[]): void {
      const names = rows.map(nameOf);
      for (const name of names) takenUp.delete(name);
      inFlight.land(names);
    },
  };
}

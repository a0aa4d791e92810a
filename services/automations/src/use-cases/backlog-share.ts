import { InFlight, type Slots } from '@laurel/events';
import type { PageJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { HeldTrigger } from '../store/trigger-backlog';

type Claim = PageJob<HeldTrigger>['due']['claim'];

/** The part of the backlog that is this process's: what waits in the slots that it holds (docs/adr/0040). */
export interface BacklogShare {
  /** Resolves when what others left in these slots is free, and is known to `onWaiting`. At no cost but when slots have come. */
  begun(): Promise<void>;
  /** Takes up rows of these slots alone; they are in hand until they have landed. */
  claim: Claim;
  land(rows: readonly Pick<HeldTrigger, 'id'>[]): void;
  /** Whether a row may be begun with; what may not is to be given back. */
  holds(row: Pick<HeldTrigger, 'slot'>): boolean;
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
  const inHand = new InFlight();
  const claims = new Set<Promise<unknown>>();
  let looking: Promise<void> | null = null;

  slots.use({
    gained: onGained,
    async lost(slot) {
      known.delete(slot);
      await Promise.allSettled([looking, ...claims]);
      // It may have been begun with while it was let go.
      known.delete(slot);
      await inHand.arrived(slot);
    },
  });

  const unknown = (): number[] => slots.held().filter((slot) => !known.has(slot));

  async function look(): Promise<void> {
    const fresh = unknown();
    await triggerBacklog.takeOver(fresh);
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
    const rows = await triggerBacklog.claim(held, room, wanted);
    const lost = rows.filter(({ row }) => !slots.holds(row.slot));
    for (const { row } of lost) await triggerBacklog.giveBack(row);
    const own = rows.filter((each) => !lost.includes(each));
    for (const { id, row } of own) inHand.add(id, row.slot);
    return own;
  }

  return {
    begun,
    claim(room, wanted) {
      const claiming: ReturnType<Claim> = claimed(room, wanted).finally(() =>
        claims.delete(claiming),
      );
      claims.add(claiming);
      return claiming;
    },
    land: (rows) => inHand.land(rows.map(({ id }) => id)),
    holds: ({ slot }) => slots.holds(slot),
    held: () => slots.held(),
  };
}

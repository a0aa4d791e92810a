import { GivenSlots } from '@laurel/testing';
import type { Deps } from '../deps';
import type { HeldTrigger } from '../store/trigger-backlog';
import { createBacklogShare } from './backlog-share';

const SLOT = 3;
const ROOM = { count: 16, share: 16, inHand: new Map<string, number>() };
const WANTED = { now: new Date(0), leaseMs: 30_000 };
const row = (id: string, lease: string, slot = SLOT) => ({ id, lease, slot }) as HeldTrigger;

/** A share of a backlog whose store gives out these rows, claim after claim. */
function shareOf(
  claims: HeldTrigger[][],
  giveBack: Deps['triggerBacklog']['giveBack'] = async () => undefined,
) {
  const slots = new GivenSlots([SLOT]);
  const store = {
    takeOver: async () => undefined,
    waitingIn: async () => [],
    claim: async () =>
      (claims.shift() ?? []).map((each) => ({ tenant: 'w', row: each, until: new Date(0) })),
    giveBack,
  } as unknown as Deps['triggerBacklog'];
  const ignore = () => undefined;
  const share = createBacklogShare(store, slots, { onWaiting: ignore, onGained: ignore });
  return { slots, claim: () => share.claim(ROOM, WANTED), share };
}

/** A slot that is let go, and whether it has been. */
function letGo(slots: GivenSlots) {
  const letting = { isOver: false, over: Promise.resolve() };
  letting.over = slots.take(SLOT).then(() => {
    letting.isOver = true;
  });
  return letting;
}

test('a slot is let go when a row that came a second time has landed, and not with its first page', async () => {
  const { slots, claim, share } = shareOf([[row('a', 'first')], [row('a', 'second')]]);
  await claim();
  await claim();
  share.land([row('a', 'first')]);
  expect(share.holds(row('a', 'second'))).toBe(true);
  const letting = letGo(slots);
  // What was claimed before the slot was lost is looked at in turns of the loop of its own.
  await new Promise(setImmediate);
  expect(letting.isOver).toBe(false);
  share.land([row('a', 'second')]);
  await letting.over;
});

test('a slot does not wait for rows of a claim that failed while it gave back others', async () => {
  const rows = [row('a', 'one'), row('of another', 'one', SLOT + 1)];
  const { slots, claim } = shareOf([rows], () => Promise.reject(new Error('the store is away')));
  await expect(claim()).rejects.toThrow('the store is away');
  await letGo(slots).over;
});

test('what a failed claim may have taken up is freed before more is taken up', async () => {
  const slots = new GivenSlots([SLOT]);
  const done: string[] = [];
  let isAway = true;
  const store = {
    takeOver: async (of: readonly number[]) => void done.push(`freed ${of.join()}`),
    waitingIn: async () => [],
    async claim() {
      done.push('claimed');
      if (isAway) throw new Error('the reply was lost');
      return [];
    },
  } as unknown as Deps['triggerBacklog'];
  const ignore = () => undefined;
  const share = createBacklogShare(store, slots, { onWaiting: ignore, onGained: ignore });
  await expect(share.claim(ROOM, WANTED)).rejects.toThrow('the reply was lost');
  isAway = false;
  await share.claim(ROOM, WANTED);
  await share.claim(ROOM, WANTED);
  expect(done).toEqual(['freed 3', 'claimed', 'freed 3', 'claimed', 'claimed']);
});

import { type Json, platform } from '@laurel/errors';
import { currentContext, newId } from '@laurel/lifecycle';
import { atEveryCall, mortal, underOneKey } from '@laurel/testing';
import type { MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import type { Task } from './execute/task';
import { recordOperation } from './record-operation';
import { undoOperation } from './undo-operation';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const MINUTE_MS = 60_000;

type Type = 'add_points' | 'redeem_reward' | 'add_transaction';

/** What an action of each type is answered with, of which a device may take back what has this id. */
const RESULTS: { [type in Type]: (id: string) => Json } = {
  add_points: (id) => ({ id, amount: 5 }),
  redeem_reward: (id) => ({ redemption: { id, points_spent: 5 } }),
  add_transaction: (id) => ({ id, event_type: 'purchase', amount: 5, currency: 'EUR' }),
};

/** The services that hold what a device did, one of each thing: it is taken back once there, under the name of its operation. */
function holders() {
  /** By the id of what it was: the operation that took it back. */
  const takenBack = new Map<string, string>();
  const takeBack = (id: string): void => {
    const { operationId } = currentContext();
    const by = takenBack.get(id) ?? operationId;
    takenBack.set(id, by);
    if (by !== operationId) throw platform.conflict();
  };
  const stateOf = async ({ id }: { id: string }) => ({
    id,
    status: takenBack.has(id) ? 'cancelled' : 'active',
  });
  return {
    takenBack,
    ledger: {
      GetBalances: async () => ({ wallets: [] }),
      GetEntry: stateOf,
      CancelEntry: async ({ entry_id }: { entry_id: string }) => {
        takeBack(entry_id);
        return { entry: { id: `cancel of ${entry_id}`, amount: -5 } };
      },
    },
    rewards: {
      GetRedemption: stateOf,
      CancelRedemption: async ({ id }: { id: string }) => {
        takeBack(id);
        return { refunded_points: 5 };
      },
    },
    clients: {
      GetEvent: async ({ id }: { id: string }) => {
        if (![...takenBack.values()].includes(id)) throw platform.recordNotFound();
        return { id };
      },
      RecordTrail: async ({
        entries,
      }: {
        entries: { id: string; original_external_id: string }[];
      }) => {
        for (const entry of entries) takeBack(entry.original_external_id);
        return { stored_ids: entries.map(({ id }) => id), refund_links: [] };
      },
    },
  };
}

/** What a device did eight minutes ago, and how it takes that back. */
async function doneBefore(type: Type) {
  const { workspaceId: workspace_id, clock } = harness;
  const [effectId, session_id] = [newId(), newId()];
  const action = { id: newId(), name: 'At the till', action_type: type };
  const whose = { workspaceId: workspace_id, passId: newId(), clientId: newId() };
  const task = { ...whose, action, data: {}, occurredAt: null } as unknown as Task;
  const result = RESULTS[type](effectId);
  const done = { result, sessionId: session_id, code: 'points' };
  const id = await recordOperation(harness.deps, task, done);
  clock.advanceMs(8 * MINUTE_MS);
  return {
    effectId,
    undo: (deps: MobileDeps) =>
      undoOperation(deps, { workspace_id, role_id: newId(), session_id, id }),
    isNoted: async () =>
      (await harness.deps.staffOperations.find(workspace_id, id))!.undoneAt !== null,
  };
}

const depsWith = (peers: Omit<ReturnType<typeof holders>, 'takenBack'>, deps = harness.deps) =>
  ({ ...deps, ...peers }) as unknown as MobileDeps;

const TYPES: Type[] = ['add_points', 'redeem_reward', 'add_transaction'];
const KEPT = { code: 'CONFLICT', message: expect.stringContaining('ten minutes') };

describe.each(TYPES)('what %s did and a device takes back in time', (type) => {
  test.each(['before', 'after'] as const)(
    'is noted when that is repeated after the time, though the process was killed %s any call, and not done then',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        const { effectId, undo, isNoted } = await doneBefore(type);
        const { takenBack, ...peers } = holders();
        const dying = mortal(harness.connection, death);
        const mortals = {
          ledger: dying.peer(peers.ledger),
          rewards: dying.peer(peers.rewards),
          clients: dying.peer(peers.clients),
        };
        let deps = depsWith(mortals, harness.depsOver(dying.connection));
        const press = underOneKey(() => undo(deps));
        dying.arm();
        const first = await Promise.race([press(), dying.died]);
        harness.clock.advanceMs(3 * MINUTE_MS);
        deps = depsWith(peers);
        const wasDone = takenBack.has(effectId);
        if (wasDone) {
          const again = await press();
          expect(again).toMatchObject({ undone: [{ amount: expect.any(Number) }] });
          if (first !== 'died') expect(again).toEqual(first);
        } else await expect(press()).rejects.toMatchObject(KEPT);
        expect([death, takenBack.has(effectId), await isNoted()]).toEqual([
          death,
          wasDone,
          wasDone,
        ]);
        return !dying.isDead();
      });
      expect(calls).toBeGreaterThan(3);
    },
  );

  test('is kept after the time where it was never taken back, or by somebody else', async () => {
    const { effectId, undo, isNoted } = await doneBefore(type);
    const { takenBack, ...peers } = holders();
    harness.clock.advanceMs(3 * MINUTE_MS);
    const press = () => underOneKey(() => undo(depsWith(peers)))();
    await expect(press()).rejects.toMatchObject(KEPT);
    expect(takenBack.size).toBe(0);
    takenBack.set(effectId, newId());
    await expect(press()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await isNoted()).toBe(false);
  });
});

import { newId } from '@laurel/lifecycle';
import { underOneKey } from '@laurel/testing';
import { createHarness, type Harness } from '../testing/harness';
import { createTierSet } from './create-tier-set';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('of many tier sets made at once one is made, and the others hear at once that there is one', async () => {
  const round = async (workspace_id: string): Promise<number> => {
    const startedAt = performance.now();
    const tries = await Promise.allSettled(
      Array.from({ length: 16 }, () =>
        createTierSet(harness.deps, { workspace_id, name: 'Levels' }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ httpStatus: 409 });
    return performance.now() - startedAt;
  };
  let tookMs = await round(harness.workspaceId);
  expect(await harness.told()).toHaveLength(1);
  // A conflict is tried again for ten seconds, each time; a machine that stands still does so now and then.
  for (let more = 0; more < 3 && tookMs >= 9_500; more += 1) tookMs = await round(newId());
  expect(tookMs).toBeLessThan(9_500);
});

test('the repeat of a tier set is answered as the first time, though its wallet type is gone by then', async () => {
  let codes = ['miles'];
  const ListWalletTypes = async () => ({ wallet_types: codes.map((code) => ({ code })) });
  const deps = { ...harness.deps, ledger: { ...harness.deps.ledger, ListWalletTypes } } as never;
  const conditions = { items: [{ type: 'total_earned', wallet_type_code: 'miles' }] };
  const make = underOneKey(() =>
    createTierSet(deps, { workspace_id: harness.workspaceId, name: 'Levels', conditions }),
  );
  const first = await make();
  codes = [];
  expect(await make()).toEqual(first);
});

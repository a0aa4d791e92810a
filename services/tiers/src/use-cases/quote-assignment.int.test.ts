import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { tiers as api } from '@laurel/rpc';
import { createHarness, type Harness } from '../testing/harness';
import { assignTier } from './assign-tier';
import { quoteAssignment } from './quote-assignment';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

/** The standing that was answered, or the refusal with all that it says. */
async function told(work: () => Promise<api.Standing>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, httpStatus, problems } = error;
    return { code, httpStatus, problems };
  }
}

test('what a quote says of a tier is what assigning it then comes to, and nothing is written before', async () => {
  const { vip, gold } = await harness.levels();
  const [enrolled, guest, stranger] = [newId(), newId(), newId()];
  await harness.take(
    harness.made.client(enrolled),
    harness.made.client(guest, { loyalty_program_enabled: false }),
    harness.made.earned(enrolled, 100),
  );
  const wishes = [enrolled, guest, stranger].flatMap((client_id) => [
    { client_id, tier_id: gold.id },
    { client_id, tier_id: newId() },
    { client_id, tier_id: vip.id, duration_days: 0 },
    { client_id, tier_id: vip.id, duration_days: 3 },
    { client_id, tier_id: vip.id },
  ]);
  const answers = new Set<string>();
  for (const wish of wishes) {
    const request = { workspace_id: harness.workspaceId, ...wish };
    const before = await harness.told();
    const quote = await told(() => quoteAssignment(harness.deps, request));
    expect(await harness.told()).toEqual(before);
    expect(quote).toEqual(await told(() => assignTier(harness.deps, request)));
    answers.add(JSON.stringify(quote));
  }
  // Each kind of answer was among them: two standings, and no tier, no exclusive one, no days, no client, none for it.
  expect(answers.size).toBe(7);
});

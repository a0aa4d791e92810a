import { newId } from '@laurel/lifecycle';
import { answerOrRefusal } from '@laurel/testing';
import { createHarness, type Harness } from '../testing/harness';
import { assignTier } from './assign-tier';
import { quoteAssignment } from './quote-assignment';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

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
    const quote = await answerOrRefusal(() => quoteAssignment(harness.deps, request));
    expect(await harness.told()).toEqual(before);
    expect(quote).toEqual(await answerOrRefusal(() => assignTier(harness.deps, request)));
    answers.add(JSON.stringify(quote));
  }
  // Each kind of answer was among them: two standings, and no tier, no exclusive one, no days, no client, none for it.
  expect(answers.size).toBe(7);
});

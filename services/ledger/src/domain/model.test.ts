import fc from 'fast-check';
import { storiesOf } from '../testing/happenings';
import type { ReferenceRules } from '../testing/reference';
import { World } from '../testing/world';

const CLIENTS = 5;

const anyRules: fc.Arbitrary<ReferenceRules> = fc.record({
  cap: fc.option(fc.integer({ min: 20, max: 200 })),
  mayOwe: fc.boolean(),
});

test('whatever happens to a few wallets, the domain and the reference agree on every answer, balance and lot, and the export proves it', async () => {
  await fc.assert(
    fc.asyncProperty(anyRules, storiesOf(CLIENTS), async (limits, story) => {
      const world = new World(limits, CLIENTS);
      for (const event of story) world.happen(event);
      await world.verify();
    }),
    { numRuns: 300 },
  );
});

import { createHarness, type Harness } from '../testing/harness';
import { exportClient } from './export-client';
import { getClientStanding } from './get-client-standing';
import { noteAddressProof } from './note-address-proof';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

/** Somebody who has shown to read what is sent to `email`, a minute ago. */
async function proven(email: string) {
  const { deps, workspaceId, clock } = harness;
  const { id } = await harness.client({ email });
  const client = { workspace_id: workspaceId, client_id: id };
  const prove = async () => (await noteAddressProof(deps, client)).proven_at;
  const provenAt = await prove();
  clock.advanceMs(60_000);
  return {
    provenAt,
    prove,
    change: (change: object) => updateClient(deps, { workspace_id: workspaceId, id, ...change }),
    standing: async () => {
      const { address_proven_at, sessions_since, proven_email } = await getClientStanding(
        deps,
        client,
      );
      return { address_proven_at, sessions_since, proven_email };
    },
    exported: async () => {
      const { data } = await exportClient(deps, client);
      return (data as Record<string, unknown>).address_proven_at;
    },
  };
}

test('the proof of an address ends with it: sessions from before are over, and the next one proves it anew', async () => {
  const { provenAt, prove, change, standing, exported } = await proven('ann@mail.exmaple');
  expect(await standing()).toEqual({
    address_proven_at: provenAt,
    sessions_since: provenAt,
    proven_email: 'ann@mail.exmaple',
  });
  await change({ email: 'ann@mail.example' });
  const changedAt = harness.clock.now().getTime();
  expect(await standing()).toEqual({ sessions_since: changedAt });
  expect(await exported()).toBeNull();
  harness.clock.advanceMs(60_000);
  const again = await prove();
  expect(again).toBeGreaterThan(changedAt);
  expect(await prove()).toBe(again);
  expect(await standing()).toMatchObject({ address_proven_at: again, sessions_since: again });
  expect(await harness.told('clients.address_proven')).toHaveLength(2);
});

test.each([
  ['its letters are written otherwise', { email: 'Ann@Mail.example' }],
  ['something else changes', { first_name: 'Ann', phone: '+4930123456' }],
])('a proof stays where %s', async (_what, change) => {
  const one = await proven('ann@mail.example');
  await one.change(change);
  expect(await one.standing()).toMatchObject({
    address_proven_at: one.provenAt,
    sessions_since: one.provenAt,
  });
});

test('who has never proven an address is signed out by no other one', async () => {
  const { id } = await harness.client({ email: 'ann@mail.example' });
  const named = { workspace_id: harness.workspaceId };
  await updateClient(harness.deps, { ...named, id, email: 'bo@mail.example' });
  const { sessions_since } = await getClientStanding(harness.deps, { ...named, client_id: id });
  expect(sessions_since).toBeUndefined();
});

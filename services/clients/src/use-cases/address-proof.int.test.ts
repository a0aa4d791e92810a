import { unitOfWork } from '@laurel/mongo';
import { createHarness, type Harness } from '../testing/harness';
import { exportClient } from './export-client';
import { getClientStanding } from './get-client-standing';
import { importRows } from './import-rows';
import { mergeClients } from './merge-clients';
import { noteAddressProof } from './note-address-proof';
import { noteReachedPhone } from './note-reached-phone';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

interface Named {
  workspace_id: string;
  client_id: string;
}

/** Somebody who has shown to read what is sent to `email`, a minute ago. */
async function proven(email: string) {
  const { deps, workspaceId, clock } = harness;
  const { id } = await harness.client({ email });
  const client = { workspace_id: workspaceId, client_id: id };
  const prove = async () => (await noteAddressProof(deps, client)).proven_at;
  const provenAt = await prove();
  clock.advanceMs(60_000);
  return {
    id,
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

test('an e-mail address that comes where there was none is not what was proven before', async () => {
  // Text messages counted as a proof once.
  const { id } = await harness.client({ phone: '+4915123456789' });
  const client = { workspace_id: harness.workspaceId, client_id: id };
  const { proven_at } = await noteAddressProof(harness.deps, client);
  harness.clock.advanceMs(60_000);
  const change = { workspace_id: harness.workspaceId, id, email: 'ann@mail.example' };
  await updateClient(harness.deps, change);
  const standing = await getClientStanding(harness.deps, client);
  expect(standing.address_proven_at).toBeUndefined();
  expect(standing.sessions_since).toBeGreaterThan(proven_at);
});

describe('what was closed as an address or a number was put right', () => {
  const mistyped = async (fields: object, prove: (client: Named) => Promise<unknown>) => {
    const { id } = await harness.client(fields);
    await prove({ workspace_id: harness.workspaceId, client_id: id });
    harness.clock.advanceMs(60_000);
    const right = { phone: '+49 151 98765432', email: 'ann@mail.example' };
    await updateClient(harness.deps, { workspace_id: harness.workspaceId, id, ...right });
    const closedAt = harness.clock.now().getTime();
    harness.clock.advanceMs(60_000);
    return { id, closedAt };
  };
  const mergedInto = async (source_client_id: string, target_client_id: string) => {
    const { workspaceId: workspace_id, deps } = harness;
    await mergeClients(deps, { workspace_id, source_client_id, target_client_id });
    return getClientStanding(deps, { workspace_id, client_id: target_client_id });
  };

  test.each<[string, object, (client: Named) => Promise<unknown>]>([
    [
      'a number that a text message had reached',
      { phone: '+49 151 23456789' },
      (client) => noteReachedPhone(harness.deps, { ...client, phone: '+49 151 23456789' }),
    ],
    [
      'an address that was proven',
      { email: 'ann@mail.exmaple' },
      (client) => noteAddressProof(harness.deps, client),
    ],
  ])('stays closed in a client that it is merged into: %s', async (_what, fields, prove) => {
    const { id, closedAt } = await mistyped(fields, prove);
    const target = await harness.client({ first_name: 'Ann' });
    expect(await mergedInto(id, target.id)).toMatchObject({ sessions_since: closedAt });
  });

  test('ends no proof of the client that it is merged into', async () => {
    const { id } = await mistyped({ email: 'ann@mail.exmaple' }, (client) =>
      noteAddressProof(harness.deps, client),
    );
    const target = await proven('ann@home.example');
    const { address_proven_at } = await mergedInto(id, target.id);
    expect(address_proven_at).toBe(target.provenAt);
  });
});

describe('who was let in by a text message', () => {
  const PHONE = '+49 151 23456789';

  /** Somebody with a number, which a text message has just reached, a minute ago. */
  async function reached(fields: { email?: string } = {}) {
    const { deps, workspaceId, clock } = harness;
    const { id } = await harness.client({ phone: PHONE, ...fields });
    const client = { workspace_id: workspaceId, client_id: id };
    const reach = async (phone = PHONE) =>
      (await noteReachedPhone(deps, { ...client, phone })).opens;
    expect(await reach()).toBe(true);
    clock.advanceMs(60_000);
    return {
      id,
      reach,
      prove: () => noteAddressProof(deps, client),
      change: (change: object) => updateClient(deps, { workspace_id: workspaceId, id, ...change }),
      standing: () => getClientStanding(deps, client),
      exported: async () => (await exportClient(deps, client)).data,
    };
  }

  test('has proven no address, and ends nothing of what was opened before', async () => {
    const { standing, exported } = await reached({ email: 'ann@mail.example' });
    const { address_proven_at, sessions_since, proven_email } = await standing();
    expect([address_proven_at, sessions_since, proven_email]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await exported()).toMatchObject({ address_proven_at: null });
    expect(await harness.told('clients.address_proven')).toEqual([]);
  });

  /** What the events of proofs say, with when each of them was. */
  const told = async () =>
    (await harness.told('clients.address_proven')).map(({ time, data }) => {
      const { was_reached } = data as { was_reached?: boolean };
      return { was_reached, proven_at: Date.parse(time) };
    });

  test('was shown all passes until the first proof, as its event and each repeat of it say, and no proof of a later address', async () => {
    const one = await reached({ email: 'ann@mail.example' });
    const first = await one.prove();
    const { proven_at } = first;
    expect(first).toMatchObject({ reached_before: true, was_reached: true });
    harness.clock.advanceMs(60_000);
    const repeat = await one.prove();
    expect(repeat).toMatchObject({ proven_at, reached_before: true });
    // Readers of the release before would end what came since.
    expect(repeat).not.toHaveProperty('was_reached');
    await one.change({ email: 'bo@mail.example' });
    const later = await one.prove();
    expect(later.reached_before).toBe(false);
    expect((await one.prove()).reached_before).toBe(false);
    expect(await told()).toEqual([
      { was_reached: true, proven_at },
      { was_reached: undefined, proven_at: later.proven_at },
    ]);
  });

  test('was not before a proof that a replica of the release before has noted since', async () => {
    const one = await reached({ email: 'ann@mail.example' });
    await one.prove();
    harness.clock.advanceMs(60_000);
    await one.change({ email: 'bo@mail.example' });
    const rows = harness.deps.connection.collection<{ _id: string }>('address_proofs');
    const asBefore = {
      $set: { proven_at: harness.clock.now() },
      $unset: { withdrawn_at: '' as const },
    };
    await rows.updateOne({ _id: one.id }, asBefore);
    expect((await one.prove()).reached_before).toBe(false);
  });

  describe('and is merged into another client', () => {
    const mergedInto = async (target: string) => {
      const one = await reached();
      const request = { workspace_id: harness.workspaceId, source_client_id: one.id };
      await mergeClients(harness.deps, { ...request, target_client_id: target });
      return { workspace_id: harness.workspaceId, client_id: target };
    };

    test('was shown what that one has, until the first proof of their address', async () => {
      const { id } = await harness.client({ email: 'ann@mail.example' });
      const target = await mergedInto(id);
      const { sessions_since, address_proven_at } = await getClientStanding(harness.deps, target);
      expect([sessions_since, address_proven_at]).toEqual([undefined, undefined]);
      const proof = await noteAddressProof(harness.deps, target);
      expect(proof).toMatchObject({ reached_before: true, was_reached: true });
      expect(await told()).toEqual([{ was_reached: true, proven_at: proof.proven_at }]);
    });

    test('whose former address was proven, until the proof of the next one', async () => {
      const { id, change, standing, provenAt } = await proven('ann@mail.exmaple');
      await change({ email: 'ann@mail.example' });
      const { sessions_since } = await standing();
      expect(sessions_since).toBeGreaterThan(provenAt);
      const target = await mergedInto(id);
      expect((await standing()).sessions_since).toBe(sessions_since);
      expect((await noteAddressProof(harness.deps, target)).reached_before).toBe(true);
    });

    test('whose address is proven: that proof stays as it was', async () => {
      const { provenAt, standing, id } = await proven('ann@mail.example');
      const target = await mergedInto(id);
      expect(await standing()).toMatchObject({ address_proven_at: provenAt });
      expect(await noteAddressProof(harness.deps, target)).toMatchObject({
        proven_at: provenAt,
        reached_before: false,
      });
    });
  });

  test.each([
    ['is another one', { phone: '+49 151 98765432' }],
    ['is taken away', { phone: null }],
    [
      'is another one and an address comes with it',
      { phone: '+49 30 123456', email: 'a@b.example' },
    ],
  ])('is signed out once the number %s', async (_what, change) => {
    const one = await reached();
    await one.change(change);
    const now = harness.clock.now().getTime();
    expect((await one.standing()).sessions_since).toBe(now);
    expect(await one.reach()).toBe(false);
  });

  test('is signed out by an import that brings another number', async () => {
    const email = 'ann@mail.example';
    const one = await reached({ email });
    const rows = [{ row: 1, fields: { email, phone: '+49 151 98765432' } }];
    const { workspaceId } = harness;
    const batch = { workspaceId, mode: 'upsert' as const, rows, unsaid: {} };
    const now = harness.clock.now();
    await unitOfWork(harness.deps.connection, (session) =>
      importRows(harness.deps, batch, { now, session }),
    );
    expect((await one.standing()).sessions_since).toBe(now.getTime());
  });

  test.each([
    ['the number is written otherwise', { phone: '0049 151 23456789' }],
    ['something else changes', { first_name: 'Ann', email: 'ann@mail.example' }],
  ])('stays where %s', async (_what, change) => {
    const one = await reached();
    await one.change(change);
    expect((await one.standing()).sessions_since).toBeUndefined();
    expect(await one.reach()).toBe(true);
  });

  test('gets in no more once an address is proven, whose reader no other number signs out', async () => {
    const one = await reached({ email: 'ann@mail.example' });
    const { proven_at } = await one.prove();
    expect(await one.reach()).toBe(false);
    harness.clock.advanceMs(60_000);
    await one.change({ phone: '+49 151 98765432' });
    expect(await one.standing()).toMatchObject({
      address_proven_at: proven_at,
      sessions_since: proven_at,
    });
  });

  test('gets in again by the next number, until that is another one, too', async () => {
    const one = await reached();
    const next = '+49 151 98765432';
    await one.change({ phone: next });
    harness.clock.advanceMs(60_000);
    expect(await one.reach(next)).toBe(true);
    harness.clock.advanceMs(60_000);
    await one.change({ phone: PHONE });
    expect((await one.standing()).sessions_since).toBe(harness.clock.now().getTime());
  });

  test('is let in before a correction at the same moment, which signs them out, or not at all', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    for (let round = 0; round < 20; round += 1) {
      const { id } = await harness.client({ phone: PHONE });
      const client = { workspace_id, client_id: id };
      const [{ opens }] = await Promise.all([
        noteReachedPhone(deps, { ...client, phone: PHONE }),
        updateClient(deps, { workspace_id, id, phone: '+49 151 98765432' }),
      ]);
      const { sessions_since } = await getClientStanding(deps, client);
      expect(opens).toBe(sessions_since !== undefined);
    }
  });
});

import { platform } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { underOneKey, workOff } from '@laurel/testing';
import { ANONYMIZED_NAME } from '../domain/trail-event';
import { createHarness, type Harness } from '../testing/harness';
import { anonymizeClient } from './anonymize-client';
import { deleteClient } from './delete-client';
import { findClientBy } from './find-client-by';
import { getClient } from './get-client';
import { getTransactionMetrics } from './get-transaction-metrics';
import { listExternalIdentities } from './list-external-identities';
import { listSuccessors } from './list-successors';
import { mergeClients } from './merge-clients';
import { noteAddressProof } from './note-address-proof';
import { purgeOrphanedEvents } from './purge-orphaned-events';
import { putExternalIdentity } from './put-external-identity';
import { recordEvent } from './record-events';
import { processSweeper } from './sweep-processes';
import { updateClient } from './update-client';
import { toEventReply } from './wire';

/** The wallets first: their last entries are scrubbed with the others. */
const CLOSED_AND_SCRUBBED = ['CloseClientWallets', 'ScrubClient'];
/** And once more, for points that were on their way. */
const TWICE = [...CLOSED_AND_SCRUBBED, ...CLOSED_AND_SCRUBBED];
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const PERSON = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  phone: '+49 30 1234567',
  birth_date: '1990-12-10',
  marketing_consent: true,
  custom_fields: { city: 'Berlin', status: 'in love' },
  loyalty_program_enabled: true,
};

const ref = (id: string) => ({ workspace_id: harness.workspaceId, id });
const identityOf = (id: string, provider: string, external_id: string) => ({
  workspace_id: harness.workspaceId,
  client_id: id,
  provider,
  external_id,
});

async function eventsOf(clientId: string) {
  const { events, workspaceId } = { ...harness.deps, workspaceId: harness.workspaceId };
  const page = await events.list(workspaceId, { clientId }, { limit: 100, offset: 0 });
  return page.events.map(toEventReply);
}

async function buy(passId: string, amount: number): Promise<void> {
  await recordEvent(harness.deps, {
    workspace_ids: [harness.workspaceId],
    event: {
      pass_id: passId,
      event_category: 'transaction',
      event_type: 'purchase',
      amount,
      currency: 'EUR',
    },
  });
}

const proofOf = (clientId: string) =>
  harness.deps.addressProofs.find(harness.workspaceId, clientId);

async function prove(client_id: string): Promise<void> {
  await noteAddressProof(harness.deps, { workspace_id: harness.workspaceId, client_id });
}

/** An id that was being given while its client went: it had been read as there is none any more. */
async function identifyLate(clientId: string, external_id: string): Promise<void> {
  const late = { ...identityOf(clientId, 'pos', external_id), date_created: harness.clock.now() };
  await unitOfWork(harness.deps.connection, (session) =>
    harness.deps.identities.put({ id: newId(), ...late }, session),
  );
}

const idsOf = async (clientId: string) => {
  const known = await harness.deps.identities.ofClient(harness.workspaceId, clientId);
  return known.map(({ external_id }) => external_id);
};

/** The collections in which a word stands, whatever they are. */
async function placesOf(word: RegExp): Promise<string[]> {
  const { db } = harness.deps.connection;
  const names = await db!.listCollections({}, { nameOnly: true }).toArray();
  const found = names.map(async ({ name }) => {
    const rows = await db!.collection(name).find().toArray();
    return word.test(JSON.stringify(rows)) ? [name] : [];
  });
  return (await Promise.all(found)).flat().sort();
}

/** Lets every process come due, and the sweeper work until nothing is left. */
async function sweepAll(): Promise<void> {
  harness.clock.advanceMs(3_600_000);
  await workOff(processSweeper(harness.deps));
}

describe('erasing a client', () => {
  test.each([
    ['anonymizing', anonymizeClient],
    ['deleting', deleteClient],
  ])(
    'by %s leaves no word of the person anywhere, nor of whom was merged into it',
    async (_, erase) => {
      const person = { ...PERSON, marketing_consent_text: 'Canary consents' };
      const keyed = systemContext({ operationId: newId(), operationKept: true });
      const { id } = await runInContext(keyed, () =>
        harness.client({ ...person, last_name: 'Canary' }),
      );
      const other = await harness.client({ ...person, email: 'canary@example.com', phone: null });
      await updateClient(harness.deps, { ...ref(id), last_name: 'Canary-Bird' });
      const merge = { source_client_id: other.id, target_client_id: id };
      await mergeClients(harness.deps, { workspace_id: harness.workspaceId, ...merge });
      expect(await placesOf(/canary/i)).toEqual(
        expect.arrayContaining(['clients', 'events', 'operations', 'outbox']),
      );
      await erase(harness.deps, ref(id));
      expect(await placesOf(/canary/i)).toEqual([]);
    },
  );
});

describe('anonymizing a client', () => {
  test('is finished however long a service is away; only what is finished is forgotten, after a month', async () => {
    const { id } = await harness.client(PERSON);
    harness.ledger.goAway();
    await anonymizeClient(harness.deps, ref(id));
    const kept = () => harness.deps.connection.collection('processes').countDocuments();
    harness.clock.advanceMs(400 * 86_400_000);
    await harness.expire();
    expect(await kept()).toBe(1);
    harness.ledger.comeBack();
    await sweepAll();
    expect(harness.ledger.calls.map(({ method }) => method)).toEqual(TWICE);
    await harness.expire();
    expect(await kept()).toBe(1);
    harness.clock.advanceMs(31 * 86_400_000);
    await harness.expire();
    expect(await kept()).toBe(0);
  });

  test('scrubs once more what was written while it went on', async () => {
    const { id } = await harness.client(PERSON);
    const passId = await harness.pass(id);
    await buy(passId, 5);
    await anonymizeClient(harness.deps, ref(id));
    // A replica that had read the client before writes its event after the first scrub.
    const trail = harness.deps.connection.collection<{ _id: string }>('events');
    const late = { workspace_id: harness.workspaceId, client_id: id };
    await trail.updateMany(late, { $set: { client_name_snapshot: 'Ada Example' } });
    await sweepAll();
    const names = (await eventsOf(id)).map((event) => event.client_name_snapshot);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => name !== ANONYMIZED_NAME)).toEqual([]);
  });

  test('empties what says who it is, tells of each field without values, and scrubs the trail', async () => {
    const { id } = await harness.client(PERSON);
    await updateClient(harness.deps, { ...ref(id), first_name: 'Augusta', status: 'inactive' });
    await putExternalIdentity(harness.deps, identityOf(id, 'pos', 'c-1'));
    const client = await anonymizeClient(harness.deps, ref(id));
    expect(client).toMatchObject({
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
      birth_date: null,
      custom_fields: {},
      status: 'anonymized',
      marketing_consent: false,
      marketing_consent_source: 'anonymize',
      marketing_consent_text: null,
      loyalty_program_enabled: false,
    });
    const events = await eventsOf(id);
    const erased = events.filter((event) => event.source === 'anonymize');
    expect(erased.map((event) => event.field_name).sort()).toEqual([
      'birth_date',
      'city',
      'email',
      'first_name',
      'last_name',
      'loyalty_program_enabled',
      'marketing_consent',
      'phone',
      'status',
      'status',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Ada|Augusta|Example|1990|Berlin|in love/);
    const statuses = events.filter((event) => event.field_name === 'status' && event.old_value);
    expect(statuses.map(({ old_value, new_value }) => [old_value, new_value]).sort()).toEqual([
      ['active', 'inactive'],
      ['inactive', 'anonymized'],
    ]);
    expect(events.every((event) => event.client_name_snapshot === ANONYMIZED_NAME)).toBe(true);
    const identities = await listExternalIdentities(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: id,
    });
    expect(identities.identities).toEqual([]);
    expect(harness.ledger.calls.map((call) => call.method)).toEqual(CLOSED_AND_SCRUBBED);
    const anonymized = await harness.told('clients.anonymized');
    expect(anonymized.map(({ data }) => data)).toEqual([
      { client_id: id, external_identities: [{ provider: 'pos', external_id: 'c-1' }] },
    ]);
    const fieldChanges = (await harness.told('clients.field_change')).slice(2);
    expect(JSON.stringify(fieldChanges)).not.toMatch(/Ada|Augusta|Berlin/);
    const membership = fieldChanges.map(({ data }) => data as { field_name: string });
    expect(membership.filter((change) => change.field_name === 'loyalty_program_enabled')).toEqual([
      expect.objectContaining({ old_value: 'true', new_value: 'false' }),
    ]);
  });

  test('does the same by way of a status, and there is no way back', async () => {
    const { id } = await harness.client(PERSON);
    const client = await updateClient(harness.deps, { ...ref(id), status: 'anonymized' });
    expect(client).toMatchObject({ status: 'anonymized', email: null });
    for (const change of [
      { status: 'active' },
      { first_name: 'Ada' },
      { custom_fields: { a: 1 } },
    ]) {
      const back = updateClient(harness.deps, { ...ref(id), ...change });
      await expect(back).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    expect(await anonymizeClient(harness.deps, ref(id))).toEqual(client);
    expect(await harness.told('clients.anonymized')).toHaveLength(1);
  });

  test('frees the address and finishes in the background what the ledger could not do', async () => {
    const { id } = await harness.client(PERSON);
    harness.ledger.goAway();
    await anonymizeClient(harness.deps, ref(id));
    await harness.client({ email: PERSON.email });
    harness.ledger.comeBack();
    await sweepAll();
    expect(harness.ledger.calls.map((call) => call.method)).toEqual(TWICE);
    await sweepAll();
    expect(harness.ledger.calls).toHaveLength(TWICE.length);
  });
});

describe('deleting a client', () => {
  test('forgets since when its address is proven, and ids that it is given at that very moment', async () => {
    const [{ id }, stays] = [await harness.client(PERSON), await harness.client()];
    await prove(id);
    await prove(stays.id);
    await deleteClient(harness.deps, ref(id));
    expect(await proofOf(id)).toBeNull();
    expect(await proofOf(stays.id)).not.toBeNull();
    await identifyLate(id, 'c-1');
    await sweepAll();
    expect(await idsOf(id)).toEqual([]);
  });

  test('asks the ledger once more after a while, for points that were on their way', async () => {
    const { id } = await harness.client();
    await deleteClient(harness.deps, ref(id));
    await sweepAll();
    expect(harness.ledger.calls.map((call) => call.method)).toEqual(TWICE);
  });

  test('keeps its events without names and values, and tells outside ids', async () => {
    const { id } = await harness.client(PERSON);
    const passId = await harness.pass(id);
    await buy(passId, 10);
    await updateClient(harness.deps, {
      ...ref(id),
      email: 'new@example.com',
      status: 'inactive',
      marketing_consent: false,
    });
    await putExternalIdentity(harness.deps, identityOf(id, 'pos', 'c-1'));
    await deleteClient(harness.deps, ref(id));
    await expect(getClient(harness.deps, ref(id))).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
    });
    const events = await eventsOf(id);
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toMatch(/Ada|example\.com/);
    const values = new Map(events.map((event) => [event.field_name, event.new_value]));
    expect(values.get('status')).toBe('inactive');
    expect(values.get('marketing_consent')).toBe('false');
    expect(values.get('email')).toBeNull();
    const [deleted] = await harness.told('clients.deleted');
    expect(deleted?.data).toEqual({
      client_id: id,
      external_identities: [{ provider: 'pos', external_id: 'c-1' }],
    });
    expect(harness.ledger.calls.map((call) => call.method)).toEqual([
      'CloseClientWallets',
      'ScrubClient',
    ]);
    await expect(buy(passId, 1)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    await expect(deleteClient(harness.deps, ref(id))).rejects.toMatchObject({ httpStatus: 404 });
  });

  test('purges the orphaned events after their time, and no others', async () => {
    const { id } = await harness.client();
    const stays = await harness.client();
    await updateClient(harness.deps, { ...ref(id), first_name: 'Ada' });
    await updateClient(harness.deps, { ...ref(stays.id), first_name: 'Bob' });
    await deleteClient(harness.deps, ref(id));
    harness.clock.advanceMs(364 * 86_400_000);
    await purgeOrphanedEvents(harness.deps, 365);
    expect(await eventsOf(id)).toHaveLength(1);
    harness.clock.advanceMs(2 * 86_400_000);
    await purgeOrphanedEvents(harness.deps, 365);
    expect(await eventsOf(id)).toHaveLength(0);
    expect(await eventsOf(stays.id)).toHaveLength(1);
  });
});

describe('merging clients', () => {
  const merge = (source_client_id: string, target_client_id: string) =>
    mergeClients(harness.deps, {
      workspace_id: harness.workspaceId,
      source_client_id,
      target_client_id,
    });

  test('fills in what the target lacks, joins custom fields, and moves trail, metrics and ids', async () => {
    const source = await harness.client({ ...PERSON, source: 'web' });
    const target = await harness.client({
      first_name: 'Augusta',
      custom_fields: { city: 'London', vip: true },
    });
    await buy(await harness.pass(source.id), 10.1);
    await buy(await harness.pass(target.id), 0.2);
    await putExternalIdentity(harness.deps, identityOf(source.id, 'pos', 's-1'));
    await putExternalIdentity(harness.deps, identityOf(source.id, 'crm_sync', 's-2'));
    await putExternalIdentity(harness.deps, identityOf(target.id, 'pos', 't-1'));
    const merged = await merge(source.id, target.id);
    expect(merged).toMatchObject({
      id: target.id,
      first_name: 'Augusta',
      last_name: 'Example',
      email: 'ada@example.com',
      phone: PERSON.phone,
      birth_date: PERSON.birth_date,
      source: 'web',
      custom_fields: { city: 'London', vip: true, status: 'in love' },
      marketing_consent: true,
      marketing_consent_source: 'api',
      loyalty_program_enabled: true,
    });
    await expect(getClient(harness.deps, ref(source.id))).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
    });
    expect(await eventsOf(source.id)).toEqual([]);
    const purchases = (await eventsOf(target.id)).filter(({ amount }) => amount !== null);
    expect(purchases).toHaveLength(2);
    const { metrics } = await getTransactionMetrics(harness.deps, {
      workspace_id: harness.workspaceId,
      client_ids: [target.id],
    });
    expect(metrics[0]).toMatchObject({ transaction_count: 2, total_spending: 10.3 });
    const { identities } = await listExternalIdentities(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: target.id,
    });
    expect(identities.map(({ provider, external_id }) => [provider, external_id])).toEqual([
      ['crm_sync', 's-2'],
      ['pos', 't-1'],
    ]);
    const request = {
      workspace_id: harness.workspaceId,
      source_client_id: source.id,
      target_client_id: target.id,
    };
    expect(harness.ledger.calls).toEqual([
      { method: 'QuoteMerge', request },
      { method: 'MergeClientWallets', request },
    ]);
    const [told] = await harness.told('clients.merged');
    expect(told?.data).toEqual({
      source_client_id: source.id,
      target_client_id: target.id,
      external_identities: [{ provider: 'pos', external_id: 's-1' }],
    });
  });

  test('gives ids that the source is given at that very moment to the target, but not who has proven its address', async () => {
    const [source, target] = [await harness.client(PERSON), await harness.client()];
    await prove(source.id);
    await merge(source.id, target.id);
    expect([await proofOf(source.id), await proofOf(target.id)]).toEqual([null, null]);
    await identifyLate(source.id, 's-1');
    await sweepAll();
    expect([await idsOf(source.id), await idsOf(target.id)]).toEqual([[], ['s-1']]);
  });

  test('gives events of the source that come later to the target', async () => {
    const source = await harness.client({ first_name: 'Ada' });
    const target = await harness.client({ first_name: 'Augusta' });
    const passId = await harness.pass(source.id);
    await merge(source.id, target.id);
    const late = { passId, workspaceId: harness.workspaceId, clientId: source.id };
    harness.clock.advanceMs(1);
    await unitOfWork(harness.deps.connection, (session) =>
      harness.deps.passes.put(
        { ...late, templateId: newId() },
        { revision: null, at: harness.clock.now() },
        session,
      ),
    );
    await buy(passId, 5);
    const [event] = await eventsOf(target.id);
    expect(event).toMatchObject({ client_id: target.id, client_name_snapshot: 'Augusta' });
  });

  test('is named by what may complete a referral of the target for a month, also by way of a third, and with nothing else', async () => {
    const [first, second, target] = [
      await harness.client(),
      await harness.client(),
      await harness.client(),
    ];
    const [own, others] = [await harness.pass(target.id), await harness.pass(first.id)];
    await buy(own, 1);
    await merge(first.id, second.id);
    harness.clock.advanceMs(1);
    await merge(second.id, target.id);
    await sweepAll();
    const record = (event: object) =>
      recordEvent(harness.deps, {
        workspace_ids: [harness.workspaceId],
        event: { pass_id: own, event_type: 'purchase', event_category: 'transaction', ...event },
      });
    for (const [passId, amount] of [
      [own, 2],
      [others, 3],
      [own, 0],
    ] as const)
      await record({ pass_id: passId, amount, currency: 'EUR' });
    await record({ event_category: 'pass_lifecycle', event_type: 'pass_installed' });
    await record({ event_category: 'pass_lifecycle', event_type: 'pass_registered' });
    await buy(await harness.pass((await harness.client()).id), 4);
    harness.clock.advanceMs(31 * 86_400_000);
    await harness.expire();
    await buy(own, 5);
    const told = [
      ...(await harness.told('transaction.purchase')),
      ...(await harness.told('pass_lifecycle.pass_installed')),
      ...(await harness.told('pass_lifecycle.pass_registered')),
    ].map(({ data }) => data as { amount: number; event_type: string; merged_clients?: string[] });
    const all = [first.id, second.id];
    expect(
      told.map(({ amount, event_type, merged_clients }) => [amount ?? event_type, merged_clients]),
    ).toEqual([
      [1, undefined],
      [2, all],
      [3, all],
      [0, undefined],
      [4, undefined],
      [5, undefined],
      ['pass_installed', all],
      ['pass_registered', undefined],
    ]);
  });

  test('is refused as a whole where the ledger could not take it in, or is away: nothing is taken over', async () => {
    const [source, target] = [await harness.client(PERSON), await harness.client()];
    const refused = platform.invalidPayload({ field: 'source_client_id' });
    for (const no of [refused, platform.serviceUnavailable()]) {
      const QuoteMerge = () => Promise.reject(no);
      const deps = { ...harness.deps, ledger: { ...harness.deps.ledger, QuoteMerge } };
      const request = { source_client_id: source.id, target_client_id: target.id };
      await expect(
        mergeClients(deps, { workspace_id: harness.workspaceId, ...request }),
      ).rejects.toBe(no);
    }
    expect(await harness.deps.clients.find(harness.workspaceId, source.id)).toMatchObject(PERSON);
    expect(harness.ledger.calls).toEqual([]);
    expect(await harness.told('clients.merged')).toEqual([]);
  });

  test('answers 503 while a part is away, and the same request or the sweeper finishes it', async () => {
    const source = await harness.client(PERSON);
    const target = await harness.client();
    const context = systemContext({ operationId: newId(), operationKept: true });
    const request = () => runInContext(context, () => merge(source.id, target.id));
    harness.ledger.goAway();
    await expect(request()).rejects.toMatchObject({ httpStatus: 503 });
    harness.ledger.comeBack();
    expect(await request()).toMatchObject({ id: target.id, email: PERSON.email });
    await sweepAll();
    const methods = harness.ledger.calls.map((call) => call.method);
    expect(methods).toEqual(['QuoteMerge', 'MergeClientWallets', 'MergeClientWallets']);
    expect(await harness.told('clients.merged')).toHaveLength(1);
  });

  test('that was taken up under a key of its own answers its repeat with the same, when it is long over', async () => {
    const [source, target] = [await harness.client(PERSON), await harness.client()];
    const underKey = () => underOneKey(() => merge(source.id, target.id));
    const [first, second] = [underKey(), underKey()];
    harness.ledger.goAway();
    await expect(first()).rejects.toMatchObject({ httpStatus: 503 });
    harness.ledger.comeBack();
    const done = await second();
    await sweepAll();
    expect(await second()).toEqual(done);
    expect(await first()).toEqual(done);
    expect(await harness.told('clients.merged')).toHaveLength(1);
  });

  test('tells whom a client became, through as many merges as it takes, as long as that one is there', async () => {
    const [first, second, third, other] = [
      await harness.client(),
      await harness.client(),
      await harness.client(),
      await harness.client(),
    ];
    await merge(first.id, second.id);
    await merge(second.id, third.id);
    const ids = [first.id, second.id, third.id, other.id, newId()];
    const ask = (workspace_id: string) => listSuccessors(harness.deps, { workspace_id, ids });
    const { successors } = await ask(harness.workspaceId);
    expect(new Map(successors.map(({ id, current_id }) => [id, current_id]))).toEqual(
      new Map([first.id, second.id].map((id) => [id, third.id])),
    );
    expect((await ask(newId())).successors).toEqual([]);
    await deleteClient(harness.deps, ref(third.id));
    expect((await ask(harness.workspaceId)).successors).toEqual([]);
  });

  test('refuses itself, unknown and anonymized clients', async () => {
    const { id } = await harness.client();
    const gone = await harness.client();
    await anonymizeClient(harness.deps, ref(gone.id));
    await expect(merge(id, id)).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'target_client_id' }],
    });
    await expect(merge(newId(), id)).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'source_client_id' }],
    });
    await expect(merge(gone.id, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('loses neither of a merge and changes made at once', async () => {
    const source = await harness.client({ custom_fields: { a: 1 } });
    const target = await harness.client();
    const names = ['b', 'c', 'd', 'e'];
    await Promise.all([
      merge(source.id, target.id),
      ...names.map((name) =>
        updateClient(harness.deps, { ...ref(target.id), custom_fields: { [name]: 1 } }),
      ),
    ]);
    const { custom_fields } = await getClient(harness.deps, ref(target.id));
    expect(Object.keys(custom_fields as object).sort()).toEqual(['a', ...names]);
  });
});

describe('external identities', () => {
  test('belong to one client per provider and workspace, also when two want one at once', async () => {
    const clients = [await harness.client(), await harness.client()];
    const tries = await Promise.allSettled(
      clients.map(({ id }) => putExternalIdentity(harness.deps, identityOf(id, 'pos', 'c-1'))),
    );
    const refused = tries.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ code: 'CONFLICT', httpStatus: 409 });
    const winner = clients[tries.findIndex((outcome) => outcome.status === 'fulfilled')]!;
    const request = { workspace_id: harness.workspaceId, provider: 'pos', external_id: 'c-1' };
    const { client } = await findClientBy(harness.deps, request);
    expect(client?.id).toBe(winner.id);
  });
});

describe('finding a client', () => {
  test('compares addresses in lower case and phones as E.164', async () => {
    const { id } = await harness.client({ email: 'Ada@Example.com', phone: '+49 (30) 123-4567' });
    const find = async (by: object) =>
      (await findClientBy(harness.deps, { workspace_id: harness.workspaceId, ...by })).client?.id;
    expect(await find({ email: 'ADA@example.com' })).toBe(id);
    expect(await find({ phone: '+49301234567' })).toBe(id);
    expect(await find({ phone: '0049 30 1234567' })).toBe(id);
    expect(await find({ phone: '+49301234568' })).toBeUndefined();
  });
});

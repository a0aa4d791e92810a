import { CLIENT_COLUMNS } from '@laurel/contract';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { underOneKey } from '@laurel/testing';
import fc from 'fast-check';
import { createHarness, type Harness } from '../testing/harness';
import { createClient } from './create-client';
import { createField } from './create-field';
import { deleteClient } from './delete-client';
import { getClient } from './get-client';
import { getClientStanding } from './get-client-standing';
import { getClients } from './get-clients';
import { listClients } from './list-clients';
import { listEvents } from './list-events';
import { mergeClients } from './merge-clients';
import { searchClients } from './search-clients';
import { updateClient } from './update-client';
import { updateCustomFields } from './update-custom-fields';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const page = { limit: 50, offset: 0 };
const ANY = { tier_ids: [], custom_fields: [] };

describe('creating a client', () => {
  test('fills in what was not said and tells of it', async () => {
    const { workspaceId, deps } = harness;
    const client = await harness.client({ first_name: 'Ada', email: 'Ada@Example.com' });
    expect(client).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      first_name: 'Ada',
      last_name: null,
      email: 'Ada@Example.com',
      phone: null,
      birth_date: null,
      status: 'active',
      marketing_consent: false,
      marketing_consent_at: null,
      marketing_consent_source: null,
      marketing_consent_text: null,
      custom_fields: {},
      source: null,
      loyalty_program_enabled: false,
      registration_date: '2026-01-15T10:00:00.000Z',
      date_created: '2026-01-15T10:00:00.000Z',
    });
    expect(await getClient(deps, { workspace_id: workspaceId, id: client.id })).toEqual(client);
    const [created] = await harness.told();
    expect(created).toMatchObject({
      type: 'clients.created',
      subject: client.id,
      data: { client, client_revision: 1 },
    });
  });

  test('stamps consent only when it was stated', async () => {
    const refused = await harness.client({
      marketing_consent: false,
      marketing_consent_text: 'Send me news',
    });
    expect(refused).toMatchObject({
      marketing_consent: false,
      marketing_consent_at: '2026-01-15T10:00:00.000Z',
      marketing_consent_source: 'api',
      marketing_consent_text: 'Send me news',
    });
  });

  test('lets one of two take an address that both want at once, whatever its case', async () => {
    const tries = await Promise.allSettled([
      harness.client({ email: 'ada@example.com' }),
      harness.client({ email: 'ADA@example.com' }),
    ]);
    const refused = tries.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({
      code: 'INVALID_PAYLOAD',
      httpStatus: 400,
      problems: [{ field: 'email' }],
    });
    const { total } = await listClients(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    expect(total).toBe(1);
  });

  test('allows the same address in another workspace, and many clients without one', async () => {
    await harness.client({ email: 'ada@example.com' });
    await createClient(harness.deps, { workspace_id: newId(), email: 'ada@example.com' });
    await harness.client();
    await harness.client();
  });

  test('answers a repeated command with its first reply and creates nothing more', async () => {
    const context = systemContext({ operationId: newId(), operationKept: true });
    const create = () => runInContext(context, () => harness.client({ first_name: 'Ada' }));
    const first = await create();
    expect(await create()).toEqual(first);
    expect(await harness.told('clients.created')).toHaveLength(1);
  });

  test('and changing one answers a repeat as the first time, though a field has been defined otherwise by then', async () => {
    const { workspaceId: workspace_id, deps } = harness;
    const custom_fields = { shoe_size: 'large' };
    const create = underOneKey(() => harness.client({ custom_fields }));
    const first = await create();
    const row = { workspace_id, id: first.id };
    const change = underOneKey(() =>
      updateClient(deps, { ...row, first_name: 'Ada', custom_fields } as never),
    );
    const changed = await change();
    await createField(deps, { workspace_id, field_name: 'shoe_size', field_type: 'number' });
    expect([await create(), await change()]).toEqual([first, changed]);
    await expect(harness.client({ custom_fields })).rejects.toMatchObject({ httpStatus: 400 });
  });

  test('writes those that come at once together, each as its own request’s, and refuses only the ones whose address is taken', async () => {
    await harness.client({ email: 'taken@example.com' });
    const keys = new Map<number, string>();
    const create = (number: number) => {
      const operationId = newId();
      keys.set(number, operationId);
      const context = systemContext({
        requestId: `r-${number}`,
        operationId,
        operationKept: number % 2 === 0,
      });
      const email = number % 10 === 3 ? 'Taken@example.com' : `n${number}@example.com`;
      return runInContext(context, () => harness.client({ email }));
    };
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    const outcomes = await Promise.allSettled(numbers.map(create));
    const refused = numbers.filter((number) => outcomes[number]!.status === 'rejected');
    expect(refused).toEqual([3, 13, 23, 33]);
    const told = await harness.told('clients.created');
    expect(told).toHaveLength(37);
    for (const [number, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') continue;
      const { id, email } = outcome.value;
      expect(email).toBe(`n${number}@example.com`);
      expect(told.find(({ subject }) => subject === id)?.requestid).toBe(`r-${number}`);
      expect(await harness.deps.clients.find(harness.workspaceId, id)).toMatchObject({ email });
    }
    const again = await runInContext(
      systemContext({ operationId: keys.get(8)!, operationKept: true }),
      () => harness.client({ email: 'n8@example.com' }),
    );
    expect(outcomes[8]).toMatchObject({ value: { id: again.id } });
    const written = await harness.deps.connection
      .collection('outbox')
      .distinct('created_at', { 'event.workspaceid': harness.workspaceId });
    expect(written.length).toBeLessThan(24);
  });

  /** Thirty clients at once, on a store that takes some on its own terms. */
  const createAtOnce = (insertAll: typeof harness.deps.clients.insertAll) => {
    const { workspaceId: workspace_id } = harness;
    const deps = { ...harness.deps, clients: { ...harness.deps.clients, insertAll } };
    return Promise.allSettled(
      Array.from({ length: 30 }, (_, number) =>
        createClient(deps, { workspace_id, first_name: `n${number}` }),
      ),
    );
  };

  test('fails only for whom the store does not take, and for none of those that come at once beside it', async () => {
    const outcomes = await createAtOnce(async (added, session) => {
      if (added.some(({ first_name }) => first_name?.endsWith('3'))) throw new Error('no room');
      await harness.deps.clients.insertAll(added, session);
    });
    const failed = [...outcomes.keys()].filter((at) => outcomes[at]!.status === 'rejected');
    expect(failed).toEqual([3, 13, 23]);
    expect(await harness.told('clients.created')).toHaveLength(27);
  });

  test('is tried once by itself where the store is away: what became of a commit may be unknown', async () => {
    const tried: string[] = [];
    const outcomes = await createAtOnce(async (added) => {
      tried.push(...added.map(({ id }) => id));
      throw Object.assign(new Error('the connection broke'), { name: 'MongoNetworkError' });
    });
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
    expect(tried).toHaveLength(30);
    expect(new Set(tried).size).toBe(30);
  });

  test('refuses another client under a used key, and none of those that come at once beside it', async () => {
    const operationId = newId();
    const create = (name: string) =>
      runInContext(systemContext({ operationId, fingerprint: name, operationKept: true }), () =>
        harness.client({ first_name: name }),
      );
    const first = await create('Ada');
    const [beside, other, again, after] = await Promise.allSettled([
      harness.client({ first_name: 'Grace' }),
      create('Bob'),
      create('Ada'),
      harness.client({ first_name: 'Edsger' }),
    ]);
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
    expect(again).toMatchObject({ status: 'fulfilled', value: { id: first.id } });
    expect([beside.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(await harness.told('clients.created')).toHaveLength(3);
  });

  test('lets no field be defined under a name that no client can have', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const define = { workspace_id, field_name: 'constructor', field_type: 'text' };
    await expect(createField(deps, define)).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'field_name' }],
    });
  });

  test('checks defined custom fields and leaves others free', async () => {
    const { deps, workspaceId } = harness;
    await createField(deps, {
      workspace_id: workspaceId,
      field_name: 'shoe_size',
      field_type: 'number',
    });
    const wrong = harness.client({ custom_fields: { shoe_size: 'large', hobby: ['chess'] } });
    await expect(wrong).rejects.toMatchObject({
      problems: [{ field: 'custom_fields.shoe_size', message: 'shoe_size must be a number' }],
    });
    const client = await harness.client({ custom_fields: { shoe_size: 42, hobby: ['chess'] } });
    expect(client.custom_fields).toEqual({ shoe_size: 42, hobby: ['chess'] });
  });
});

describe('changing a client', () => {
  test('merges custom fields and tells of each changed field', async () => {
    const { deps, workspaceId } = harness;
    const { id } = await harness.client({
      first_name: 'Ada',
      custom_fields: { city: 'Berlin', age: 30, tags: { a: 1, b: 2 } },
    });
    const changed = await updateClient(deps, {
      workspace_id: workspaceId,
      id,
      first_name: 'Grace',
      custom_fields: { age: 31, tags: { b: 2, a: 1 }, vip: true },
    });
    expect(changed).toMatchObject({
      first_name: 'Grace',
      custom_fields: { city: 'Berlin', age: 31, tags: { a: 1, b: 2 }, vip: true },
    });
    const { events } = await listEvents(deps, {
      workspace_id: workspaceId,
      client_id: id,
      ...page,
    });
    const summary = events.map((event) => [event.field_name, event.old_value, event.new_value]);
    expect(new Set(summary)).toEqual(
      new Set([
        ['first_name', 'Ada', 'Grace'],
        ['age', '30', '31'],
        ['vip', null, 'true'],
      ]),
    );
    expect(events[0]).toMatchObject({ source: 'api', event_type: 'field_updated' });
    expect(await harness.told('clients.field_change')).toHaveLength(3);
    const [updated] = await harness.told('clients.updated');
    expect(updated?.data).toMatchObject({
      changed_fields: ['first_name', 'custom_fields.age', 'custom_fields.vip'],
    });
  });

  test('keeps every custom field that it does not name, whatever those are called', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const custom_fields = { $ref: 'a.shops', $id: '7', city: 'Berlin', at: { $id: 1, $ref: 'b' } };
    const { id } = await harness.client({ custom_fields });
    await updateClient(deps, { workspace_id, id, custom_fields: { x: 1 } });
    const read = await getClient(deps, { workspace_id, id });
    expect(read.custom_fields).toEqual({ ...custom_fields, x: 1 });
  });

  test('tells how often the client has been written, as answers to other services do, so that none goes by a clock', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const [target, source] = [
      await harness.client(),
      await harness.client({ phone: '+4930111111' }),
    ];
    const { id } = target;
    const revisionsTold = async () => {
      const { clients: listed, revisions } = await getClients(deps, { workspace_id, ids: [id] });
      // A client is shown as it comes.
      expect(listed[0]).not.toHaveProperty('revision');
      const standing = await getClientStanding(deps, { workspace_id, client_id: id });
      const told = (await harness.told()).filter(
        ({ subject, type }) => subject === id && /clients\.(?:created|updated)/.test(type),
      );
      const { client_revision } = told.at(-1)!.data as { client_revision?: number };
      return [client_revision, ...(revisions?.of_clients ?? []), standing.revision];
    };
    expect(await revisionsTold()).toEqual([1, 1, 1]);
    await updateClient(deps, { workspace_id, id, first_name: 'Grace' });
    expect(await revisionsTold()).toEqual([2, 2, 2]);
    const source_client_id = source.id;
    await mergeClients(deps, { workspace_id, source_client_id, target_client_id: id });
    expect(await revisionsTold()).toEqual([3, 3, 3]);
    expect(await getClient(deps, { workspace_id, id })).not.toHaveProperty('revision');
  });

  test('of many at once does to each what a change of one does, and says of each why not', async () => {
    const { deps, workspaceId } = harness;
    const [same, other, erased] = [
      await harness.client({ custom_fields: { wave: 1 } }),
      await harness.client({ custom_fields: { wave: 2, city: 'Berlin' } }),
      await harness.client(),
    ];
    await updateClient(deps, { workspace_id: workspaceId, id: erased.id, status: 'anonymized' });
    const before = (await harness.told('clients.updated')).length;
    const ids = [same.id, other.id, erased.id, newId()];
    const { clients } = await updateCustomFields(deps, {
      workspace_id: workspaceId,
      custom_fields: { wave: 1 },
      change_source: 'campaign:1',
      changes: ids.map((client_id) => ({ client_id, operation_id: `field ${client_id}` })),
    });
    expect(clients).toEqual([
      { client_id: ids[0] },
      { client_id: ids[1] },
      { client_id: ids[2], refusal: 'the client is anonymized: there is no way back' },
      { client_id: ids[3], refusal: 'the client does not exist' },
    ]);
    const changed = await getClient(deps, { workspace_id: workspaceId, id: other.id });
    expect(changed.custom_fields).toEqual({ wave: 1, city: 'Berlin' });
    const told = (await harness.told('clients.updated')).slice(before);
    const news = { client_id: other.id, client: changed, client_revision: 2 };
    expect(told.map(({ subject, data }) => [subject, data])).toEqual([
      [other.id, { ...news, changed_fields: ['custom_fields.wave'] }],
    ]);
    const about = { workspace_id: workspaceId, client_id: other.id, ...page };
    expect((await listEvents(deps, about)).events).toMatchObject([
      { field_name: 'wave', old_value: '2', new_value: '1', source: 'campaign:1' },
    ]);
  });

  test('of many at once is refused to the one who has no room left, and made to the others', async () => {
    const { deps, workspaceId } = harness;
    const full = await harness.client({ custom_fields: { note: 'x'.repeat(39_900) } });
    const other = await harness.client();
    const custom_fields = { wave: 'x'.repeat(200) };
    const ids = [full.id, other.id];
    const { clients } = await updateCustomFields(deps, {
      workspace_id: workspaceId,
      custom_fields,
      change_source: 'campaign:1',
      changes: ids.map((client_id) => ({ client_id, operation_id: `room ${client_id}` })),
    });
    expect(clients).toEqual([
      { client_id: full.id, refusal: expect.stringContaining('at most 40000 characters') },
      { client_id: other.id },
    ]);
    const changed = await getClient(deps, { workspace_id: workspaceId, id: other.id });
    expect(changed.custom_fields).toEqual(custom_fields);
  });

  test('of many at once is done once, whatever else is asked with it the second time', async () => {
    const { deps, workspaceId } = harness;
    const ids = [(await harness.client()).id, (await harness.client()).id] as const;
    const change = (wave: number, ...clients: string[]) =>
      updateCustomFields(deps, {
        workspace_id: workspaceId,
        custom_fields: { wave },
        change_source: 'campaign:1',
        changes: clients.map((client_id) => ({ client_id, operation_id: `once ${client_id}` })),
      });
    await change(1, ids[0]);
    await Promise.all([change(2, ...ids), change(2, ...ids)].map((each) => each.catch(() => null)));
    await change(2, ...ids);
    const waves = await Promise.all(
      ids.map(
        async (id) => (await getClient(deps, { workspace_id: workspaceId, id })).custom_fields,
      ),
    );
    expect(waves).toEqual([{ wave: 1 }, { wave: 2 }]);
    expect(await harness.told('clients.updated')).toHaveLength(2);
  });

  test('loses nothing of two changes made at once', async () => {
    const { deps, workspaceId } = harness;
    const { id } = await harness.client();
    const fields = Array.from({ length: 8 }, (_, at) => `field_${at}`);
    await Promise.all(
      fields.map((name, at) =>
        updateClient(deps, { workspace_id: workspaceId, id, custom_fields: { [name]: at } }),
      ),
    );
    const { custom_fields } = await getClient(deps, { workspace_id: workspaceId, id });
    expect(Object.keys(custom_fields as object).sort()).toEqual(fields);
  });

  test('stamps consent only when its value changes', async () => {
    const { deps, workspaceId, clock } = harness;
    const { id } = await harness.client({ marketing_consent: true });
    clock.advanceMs(60_000);
    const same = await updateClient(deps, {
      workspace_id: workspaceId,
      id,
      marketing_consent: true,
      marketing_consent_text: 'New wording',
    });
    expect(same).toMatchObject({
      marketing_consent_at: '2026-01-15T10:00:00.000Z',
      marketing_consent_text: null,
    });
    const withdrawn = await updateClient(deps, {
      workspace_id: workspaceId,
      id,
      marketing_consent: false,
      marketing_consent_text: 'New wording',
    });
    expect(withdrawn).toMatchObject({
      marketing_consent_at: '2026-01-15T10:01:00.000Z',
      marketing_consent_source: 'api',
      marketing_consent_text: 'New wording',
    });
  });

  test('tells nothing when nothing changes', async () => {
    const { deps, workspaceId } = harness;
    const { id } = await harness.client({ first_name: 'Ada' });
    await updateClient(deps, { workspace_id: workspaceId, id, first_name: 'Ada' });
    expect(await harness.told()).toHaveLength(1);
  });

  test('refuses an address that another client has, and a client of another workspace', async () => {
    const { deps, workspaceId } = harness;
    await harness.client({ email: 'ada@example.com' });
    const { id } = await harness.client();
    const taken = updateClient(deps, { workspace_id: workspaceId, id, email: 'Ada@example.com' });
    await expect(taken).rejects.toMatchObject({ problems: [{ field: 'email' }] });
    const foreign = updateClient(deps, { workspace_id: newId(), id, first_name: 'Eve' });
    await expect(foreign).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
  });
});

describe('listing clients', () => {
  test('searches any part of name, full name, address and phone, without case and accents', async () => {
    const { deps, workspaceId } = harness;
    await harness.client({
      first_name: 'Zoë',
      last_name: 'Müller',
      email: 'zm@example.com',
      phone: '+49 30 123',
    });
    await harness.client({ first_name: 'Bob', email: 'bob.100%@example.com' });
    await harness.client({ first_name: 'Łukasz', last_name: 'Groß' });
    const found = async (search: string) => {
      const { clients } = await listClients(deps, {
        workspace_id: workspaceId,
        filter: { ...ANY, search },
        ...page,
      });
      const { clients: direct } = await searchClients(deps, {
        workspace_id: workspaceId,
        q: search,
        limit: 10,
      });
      expect(direct).toEqual(clients);
      return clients.map((client) => client.first_name);
    };
    for (const text of ['zoe', 'ÜLL', 'e m', 'zoë müller', 'ZM@', '30 1', '+49', 'mu']) {
      expect([text, await found(text)]).toEqual([text, ['Zoë']]);
    }
    for (const text of ['lukasz', 'ŁUKASZ', 'gross', 'groß', 'lukasz gross', 'ß', 'łu'])
      expect([text, await found(text)]).toEqual([text, ['Łukasz']]);
    expect(await found('100%')).toEqual(['Bob']);
    for (const text of ['.*', 'b.b', 'Müller Zoë', '(']) expect(await found(text)).toEqual([]);
  });

  test('a search finds all who contain a text and counts them, whichever of its pieces are common', async () => {
    const { deps, workspaceId } = harness;
    const names = ['Anna Lind', 'Annalena Lindner', 'Johanna Berg', 'Bo Anders', 'Hanna Ann'];
    for (const [at, name] of names.entries()) {
      const [first_name, last_name] = name.split(' ') as [string, string];
      await harness.client({ first_name, last_name, email: `a${at}@lind.example` });
    }
    const texts = names.map((name, at) => `${name.toLowerCase()}\na${at}@lind.example`);
    const part = fc
      .tuple(fc.nat(names.length - 1), fc.nat(25), fc.integer({ min: 1, max: 12 }))
      .map(([of, from, length]) => texts[of]!.slice(from, from + length).trim());
    await fc.assert(
      fc.asyncProperty(part, async (search) => {
        fc.pre(search !== '' && !search.includes('\n'));
        const request = { workspace_id: workspaceId, filter: { ...ANY, search }, ...page };
        const { clients, total } = await listClients(deps, request);
        const named = clients.map((one) => `${one.first_name} ${one.last_name}`).sort();
        const expected = names.filter((_, at) => texts[at]!.includes(search)).sort();
        expect([search, named, total]).toEqual([search, expected, expected.length]);
      }),
      { numRuns: 60 },
    );
  });

  test('pages by cursor through any sort without gap or repeat', async () => {
    const { deps, workspaceId } = harness;
    for (const last_name of ['C', null, 'A', 'B', null, 'A']) await harness.client({ last_name });
    for (const sort of ['last_name', '-last_name', '-date_created', 'id', 'custom_fields']) {
      const whole = await listClients(deps, { workspace_id: workspaceId, sort, ...page });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const request = { workspace_id: workspaceId, sort, limit: 2, offset: 0, cursor };
        const part = await listClients(deps, request);
        seen.push(...part.clients.map(({ id }) => id));
        expect(part.total).toBe(6);
        cursor = part.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect([sort, seen]).toEqual([sort, whole.clients.map(({ id }) => id)]);
    }
  });

  test('pages through any sort by cursors that the API takes, however long the values', async () => {
    const { deps, workspaceId } = harness;
    const long = (sign: string, count: number, at: number) => `${sign.repeat(count)}${at % 3}`;
    for (let at = 0; at < 7; at += 1)
      await harness.client({
        first_name: at === 3 ? null : long('名', 254, at),
        marketing_consent: true,
        marketing_consent_text: long('x', 1_999, at),
        custom_fields: at === 3 ? {} : { at: at % 3, note: long('y', 900, at) },
      });
    const columns = ['first_name', 'marketing_consent_text', 'custom_fields'];
    // Everybody is active: those who are listed by what only profiles know are read elsewhere.
    for (const sort of columns.flatMap((column) => [column, `-${column}`]))
      for (const filter of [ANY, { ...ANY, has_pass: false }]) {
        const asked = { workspace_id: workspaceId, sort, filter };
        const whole = await listClients(deps, { ...asked, ...page });
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const part = await listClients(deps, { ...asked, limit: 2, offset: 0, cursor });
          seen.push(...part.clients.map(({ id }) => id));
          cursor = part.next_cursor ?? undefined;
          expect((cursor ?? '').length).toBeLessThanOrEqual(500);
        } while (cursor !== undefined);
        expect([sort, seen]).toEqual([sort, whole.clients.map(({ id }) => id)]);
        expect(seen).toHaveLength(7);
      }
  });

  test('pages through a list by every column, narrowed or not, in both directions', async () => {
    const { deps, workspaceId, clock } = harness;
    for (const at of [0, 1, 2, 3, 4]) {
      clock.advanceMs(at % 2 === 0 ? 0 : 1_000);
      await harness.client({
        first_name: at === 2 ? null : `n${at % 2}`,
        email: `a${at}@example.com`,
        birth_date: at === 3 ? null : `199${at % 3}-05-01`,
        ...(at === 1 ? {} : { marketing_consent: at % 2 === 0 }),
        loyalty_program_enabled: at > 2,
        custom_fields: at === 4 ? {} : { at },
      });
    }
    for (const sort of CLIENT_COLUMNS.flatMap((column) => [column, `-${column}`]))
      for (const filter of [ANY, { ...ANY, has_pass: false }]) {
        const asked = { workspace_id: workspaceId, sort, filter };
        const whole = await listClients(deps, { ...asked, ...page });
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const part = await listClients(deps, { ...asked, limit: 1, offset: 0, cursor });
          seen.push(...part.clients.map(({ id }) => id));
          cursor = part.next_cursor ?? undefined;
        } while (cursor !== undefined);
        expect([sort, seen]).toEqual([sort, whole.clients.map(({ id }) => id)]);
        expect(seen).toHaveLength(5);
      }
  });

  test.each(['first_name', '-first_name', 'marketing_consent_text', '-marketing_consent_text'])(
    'a page by %s goes on where the one before it ended, though its last row changed or went',
    async (sort) => {
      const { deps, workspaceId: workspace_id } = harness;
      for (let at = 0; at < 6; at += 1)
        await harness.client({
          first_name: `${at}${'名'.repeat(200)}`,
          marketing_consent: true,
          // Of two texts that begin alike each was agreed to by several.
          marketing_consent_text: `${'x'.repeat(1_500)}${at % 2}`,
        });
      const request = { workspace_id, sort, limit: 2, offset: 0 };
      for (const filter of [ANY, { ...ANY, has_pass: false }]) {
        const whole = await listClients(deps, { ...request, filter, ...page });
        const ids = whole.clients.map(({ id }) => id);
        const first = await listClients(deps, { ...request, filter });
        const last = first.clients.at(-1)!;
        const cursor = first.next_cursor!;
        await updateClient(deps, { workspace_id, id: last.id, first_name: 'A' });
        await updateClient(deps, { workspace_id, id: last.id, marketing_consent: false });
        const after = await listClients(deps, { ...request, filter, cursor, ...page });
        const rest = after.clients.map(({ id }) => id).filter((id) => id !== last.id);
        expect(rest).toEqual(ids.slice(2));
        await deleteClient(deps, { workspace_id, id: last.id });
        const next = await listClients(deps, { ...request, filter, cursor, ...page });
        expect(next.clients.map(({ id }) => id)).toEqual(rest);
      }
    },
  );

  test.each([
    ['marketing_consent_text', 'x', 'y'],
    ['-marketing_consent_text', 'y', 'x'],
  ])(
    'a page by %s goes on behind a row that changed, however many come before it in other words',
    async (sort, many, few) => {
      const { deps, workspaceId: workspace_id } = harness;
      const agreedTo = (end: string) =>
        harness.client({
          marketing_consent: true,
          marketing_consent_text: `${'x'.repeat(1_500)}${end}`,
        });
      await Promise.all(Array.from({ length: 101 }, () => agreedTo(many)));
      for (let count = 0; count < 4; count += 1) await agreedTo(few);
      const request = { workspace_id, sort, offset: 0 };
      const whole = await listClients(deps, { ...request, ...page, limit: 1_000 });
      const first = await listClients(deps, { ...request, limit: 103 });
      const { id } = first.clients.at(-1)!;
      const cursor = first.next_cursor!;
      await updateClient(deps, { workspace_id, id, marketing_consent: false });
      const next = await listClients(deps, { ...request, limit: 3, cursor });
      const ids = (clients: readonly { id: string }[]) => clients.map((client) => client.id);
      expect(ids(next.clients).filter((other) => other !== id)).toEqual(
        ids(whole.clients).slice(103),
      );
    },
  );

  test('refuses a cursor by custom fields at a row that has others now, and no other', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    for (const at of [1, 2, 3]) await harness.client({ custom_fields: { at } });
    const request = { workspace_id, sort: 'custom_fields', limit: 1, offset: 0 };
    const first = await listClients(deps, request);
    const { id } = first.clients[0]!;
    const next = () => listClients(deps, { ...request, cursor: first.next_cursor! });
    await updateClient(deps, { workspace_id, id, first_name: 'Ada' });
    expect((await next()).clients).toHaveLength(1);
    await updateClient(deps, { workspace_id, id, custom_fields: { at: 9 } });
    await expect(next()).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'cursor' }],
    });
    const elsewhere = listClients(deps, {
      ...request,
      workspace_id: newId(),
      cursor: first.next_cursor!,
    });
    await expect(elsewhere).rejects.toMatchObject({ problems: [{ field: 'cursor' }] });
  });

  test('refuses an unknown column and a cursor of another list', async () => {
    const { deps, workspaceId } = harness;
    await harness.client();
    await harness.client();
    const unknown = listClients(deps, { workspace_id: workspaceId, sort: 'shoe_size', ...page });
    await expect(unknown).rejects.toMatchObject({ problems: [{ field: 'sort' }] });
    const first = await listClients(deps, { workspace_id: workspaceId, limit: 1, offset: 0 });
    const cursor = first.next_cursor ?? '';
    const crossed = listClients(deps, {
      workspace_id: workspaceId,
      sort: 'email',
      cursor,
      ...page,
    });
    await expect(crossed).rejects.toMatchObject({ problems: [{ field: 'cursor' }] });
  });

  test('filters by status, source, exact address and time, within the workspace', async () => {
    const { deps, workspaceId, clock } = harness;
    await createClient(deps, { workspace_id: newId(), source: 'web' });
    await harness.client({ source: 'web', email: 'a@example.com' });
    clock.set('2026-02-01T10:00:00.000Z');
    await harness.client({ source: 'shop', status: 'inactive' });
    const count = async (filter: object) =>
      (
        await listClients(deps, {
          workspace_id: workspaceId,
          filter: { ...ANY, ...filter },
          ...page,
        })
      ).total;
    expect(await count({ source: 'web' })).toBe(1);
    expect(await count({ status: 'inactive' })).toBe(1);
    expect(await count({ email: 'A@EXAMPLE.com' })).toBe(1);
    expect(await count({ email: 'example.com' })).toBe(0);
    expect(await count({ from_date: '2026-01-31T00:00:00.000Z' })).toBe(1);
    expect(await count({ to_date: '2026-01-31T00:00:00.000Z' })).toBe(1);
    expect(await count({})).toBe(2);
  });
});

import { randomUUID } from 'node:crypto';
import type { Caller } from './support/api';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
});

const field = (name: string, operator: string, value?: unknown) => ({
  filter_type: 'client_field',
  filter_config: { field: name, operator, ...(value === undefined ? {} : { value }) },
});
const custom = (custom_field_filters: object) => ({
  filter_type: 'custom_field',
  filter_config: { custom_field_filters },
});
const metric = (asked: object) => ({
  filter_type: 'metric',
  filter_config: { metric: 'transaction_count', operator: '_gte', value: 1, ...asked },
});
const event = (asked: object) => ({
  filter_type: 'event',
  filter_config: {
    event_category: 'transaction',
    within_days: 30,
    operator: '_gte',
    value: 1,
    ...asked,
  },
});
const nested = (segment_id: string, negate?: boolean) => ({
  filter_type: 'segment',
  filter_config: { segment_id, ...(negate === undefined ? {} : { negate }) },
});
const created = async (filters: object[] = [], owner: Caller = workspace) =>
  expectStatus(await owner.post(':ws/segments', { name: 'Locals', filters }), 201).body.data;
const totalOf = async (id: string, owner: Caller = workspace): Promise<number> =>
  expectStatus(await owner.get(`/segments/${id}/client-count`), 200).body.data.total;
const idsIn = async (filters: object[], owner: Caller): Promise<string[]> => {
  const { id } = await created(filters, owner);
  const { body } = expectStatus(await owner.get(`/segments/${id}/clients`), 200);
  return body.data.map((client: { id: string }) => client.id);
};

describe('a segment', () => {
  test('is created with an id for each filter, and read back', async () => {
    const filters = [custom({ city: { operator: '_in', value: ['Rome', 'Paris'] } })];
    const body = { name: 'Locals', description: 'From here', filters };
    const made = expectStatus(await workspace.post(':ws/segments', body), 201).body;
    expect(made).toEqual({
      data: {
        id: expect.any(String),
        workspace_id: workspace.workspaceId,
        name: 'Locals',
        description: 'From here',
        filters: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...filters[0] }],
        date_created: expect.stringMatching(/Z$/),
      },
    });
    const read = expectStatus(await workspace.get(`/segments/${made.data.id}`), 200);
    expect(read.body).toEqual(made);
  });

  test('has no description and no filters unless it is given some', async () => {
    const { body } = expectStatus(await workspace.post(':ws/segments', { name: 'All' }), 201);
    expect(body.data).toMatchObject({ description: null, filters: [] });
  });

  test('is listed newest first, in its own workspace only', async () => {
    const owner = await newWorkspace();
    const ids = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await created([], owner)).id);
    const { body } = expectStatus(await owner.get(':ws/segments'), 200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body).not.toHaveProperty('meta');
  });

  test('changes by PATCH: filters are replaced, a sent id stays, workspace_id is stripped', async () => {
    const made = await created([field('source', '_eq', 'web'), field('status', '_eq', 'active')]);
    const [kept] = made.filters;
    const body = {
      name: 'Web',
      description: null,
      workspace_id: randomUUID(),
      filters: [kept, field('email', '_nnull')],
    };
    const { data } = expectStatus(await workspace.patch(`/segments/${made.id}`, body), 200).body;
    expect(data).toEqual({
      ...made,
      name: 'Web',
      description: null,
      filters: [kept, { id: expect.any(String), ...field('email', '_nnull') }],
    });
    expect(data.filters[1].id).not.toBe(kept.id);
    const renamed = await workspace.patch(`/segments/${made.id}`, { name: 'Net' });
    expect(renamed.body.data).toEqual({ ...data, name: 'Net' });
  });

  test('is copied with its filters, which get ids of their own', async () => {
    const made = await created([field('source', '_eq', 'web')]);
    const { data } = expectStatus(await workspace.post(`/segments/${made.id}/duplicate`), 200).body;
    expect(data).toEqual({
      ...made,
      id: expect.any(String),
      name: 'Locals (copy)',
      filters: [{ ...made.filters[0], id: expect.any(String) }],
      date_created: expect.any(String),
    });
    expect(data.id).not.toBe(made.id);
    expect(data.filters[0].id).not.toBe(made.filters[0].id);
    const named = await workspace.post(`/segments/${made.id}/duplicate`, { name: 'Mine' });
    expect(expectStatus(named, 200).body.data.name).toBe('Mine');
    const long = await workspace.patch(`/segments/${made.id}`, {
      name: `${'a'.repeat(247)}🎂🎂🎂`,
    });
    expectStatus(long, 200);
    const copy = await workspace.post(`/segments/${made.id}/duplicate`);
    expect(expectStatus(copy, 200).body.data.name).toBe(`${'a'.repeat(247)} (copy)`);
  });

  test('is gone after DELETE', async () => {
    const { id } = await created();
    const { body } = expectStatus(await workspace.del(`/segments/${id}`), 200);
    expect(body).toEqual({ message: expect.any(String) });
    expectRefusal(await workspace.get(`/segments/${id}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.del(`/segments/${id}`), 404, 'RECORD_NOT_FOUND');
  });

  test('is unknown to strangers on every route, as one that does not exist', async () => {
    const { id } = await created();
    for (const each of [id, randomUUID()]) {
      const path = `/segments/${each}`;
      const replies = await Promise.all([
        stranger.get(path),
        stranger.patch(path, { name: 'Taken' }),
        stranger.del(path),
        stranger.post(`${path}/duplicate`),
        stranger.post(`${path}/calculate`),
        ...['client-count', 'preview', 'clients', 'passes'].map((part) =>
          stranger.get(`${path}/${part}`),
        ),
      ]);
      for (const reply of replies) expectRefusal(reply, 404, 'RECORD_NOT_FOUND');
    }
    expectRefusal(await workspace.get('/segments/no-uuid'), 400, 'INVALID_PAYLOAD');
  });
});

describe('what is in a segment', () => {
  test('is everybody who is not anonymized while it has no filters', async () => {
    const owner = await newWorkspace();
    const [first, second, third] = [
      await newClient(owner),
      await newClient(owner, { status: 'inactive' }),
      await newClient(owner),
    ];
    const { id } = await created([], owner);
    expect(await totalOf(id, owner)).toBe(3);
    const { body } = expectStatus(await owner.get(`/segments/${id}/clients`), 200);
    const read = expectStatus(await owner.get(`:ws/clients/${third.id}`), 200).body.data;
    expect(body.data[0]).toEqual(read);
    expect(body.data.map((client: { id: string }) => client.id)).toEqual([
      third.id,
      second.id,
      first.id,
    ]);
    await owner.post(`:ws/clients/${first.id}/anonymize`);
    await owner.del(`:ws/clients/${second.id}`);
    expect(await totalOf(id, owner)).toBe(1);
  });

  test('is said by four routes in the same way, up to a limit', async () => {
    const owner = await newWorkspace();
    for (let made = 0; made < 3; made += 1) await newClient(owner);
    const { id } = await created([], owner);
    const calculated = await owner.post(`/segments/${id}/calculate`);
    expect(expectStatus(calculated, 200).body).toEqual({ data: { total: 3 } });
    const whole = (await owner.get(`/segments/${id}/preview`)).body;
    expect(whole.data).toHaveLength(3);
    for (const part of ['clients', 'passes']) {
      expect((await owner.get(`/segments/${id}/${part}`)).body).toEqual(whole);
      const some = await owner.get(`/segments/${id}/${part}`, { limit: 2 });
      expect(some.body.data).toEqual(whole.data.slice(0, 2));
    }
    for (const limit of [0, 1_001, 'many']) {
      const reply = await owner.get(`/segments/${id}/clients`, { limit });
      expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'limit');
    }
  });

  test('follows from columns and custom fields, typed and with the case as it stands', async () => {
    const owner = await newWorkspace();
    const day = { field_name: 'joined_on', field_type: 'date' };
    expectStatus(await owner.post(':ws/data-model', day), 201);
    const begunOn = new Date().toISOString().slice(0, 10);
    const ann = await newClient(owner, {
      first_name: 'Ann',
      source: 'web',
      birth_date: '1990-05-04',
      loyalty_program_enabled: true,
      custom_fields: { city: 'Rome', visits: 7, joined_on: '2026-03-01', 'a.b': 'x' },
    });
    const bob = await newClient(owner, {
      first_name: 'bob',
      birth_date: '1985-01-01',
      custom_fields: { city: 'Oslo', visits: 2, joined_on: '2026-03-31T10:00:00Z', tags: ['vip'] },
    });
    const cases: [object, string[]][] = [
      [field('first_name', '_eq', 'ann'), []],
      [field('first_name', '_contains', 'AN'), [ann.id]],
      [field('first_name', '_starts_with', 'BO'), [bob.id]],
      [field('first_name', '_in', ['Ann', 'bob']), [bob.id, ann.id]],
      [field('first_name', '_neq', 'Ann'), [bob.id]],
      [field('source', '_null'), [bob.id]],
      [field('source', '_nnull'), [ann.id]],
      [field('source', '_nin', ['web']), [bob.id]],
      [field('birth_date', '_lt', '1990-01-01'), [bob.id]],
      [field('birth_date', '_between', ['1990-05-04', '1990-05-04']), [ann.id]],
      [field('loyalty_program_enabled', '_eq', true), [ann.id]],
      [field('date_created', '_gte', begunOn), [bob.id, ann.id]],
      [field('id', '_eq', ann.id), [ann.id]],
      [custom({ city: { operator: '_in', value: ['Rome', 'Paris'] } }), [ann.id]],
      [custom({ city: { operator: '_contains', value: 'OS' } }), [bob.id]],
      [custom({ visits: { operator: '_gt', value: 2 } }), [ann.id]],
      [custom({ visits: { operator: '_between', value: [1, 7] } }), [bob.id, ann.id]],
      [
        custom({ visits: { operator: '_gt', value: 1 }, city: { operator: '_eq', value: 'Oslo' } }),
        [bob.id],
      ],
      [custom({ joined_on: { operator: '_lte', value: '2026-03-30' } }), [ann.id]],
      [custom({ joined_on: { operator: '_eq', value: '2026-03-31' } }), [bob.id]],
      [custom({ 'a.b': { operator: '_eq', value: 'x' } }), [ann.id]],
      [custom({ tags: { operator: '_eq', value: 'vip' } }), [bob.id]],
      [custom({ nowhere: { operator: '_null' } }), [bob.id, ann.id]],
    ];
    for (const [filter, ids] of cases) {
      expect({ filter, ids: await idsIn([filter], owner) }).toEqual({ filter, ids });
    }
    expect(
      await idsIn(
        cases.slice(1, 3).map(([filter]) => filter),
        owner,
      ),
    ).toEqual([]);
    await owner.patch(`:ws/clients/${bob.id}`, { custom_fields: { city: 'Rome' } });
    expect(await idsIn([cases[13]![0]], owner)).toEqual([bob.id, ann.id]);
  });

  test('follows from the segments nested in it', async () => {
    const owner = await newWorkspace();
    const web = await newClient(owner, { source: 'web' });
    const shop = await newClient(owner, { source: 'shop' });
    const inner = await created([field('source', '_eq', 'web')], owner);
    const outer = await created([nested(inner.id, true)], owner);
    expect(await idsIn([nested(inner.id)], owner)).toEqual([web.id]);
    expect(await idsIn([nested(outer.id)], owner)).toEqual([shop.id]);
    await owner.patch(`/segments/${inner.id}`, { filters: [field('source', '_eq', 'shop')] });
    expect(await idsIn([nested(outer.id)], owner)).toEqual([web.id]);
  });
});

describe('refused', () => {
  test.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ workspace_id: randomUUID() }, 'workspace_id'],
    [{ colour: 'red' }, 'colour'],
    [{ filters: {} }, 'filters'],
    [{ filters: [{ filter_config: {} }] }, 'filters.0.filter_type'],
    [{ filters: [{ filter_type: 'moon', filter_config: {} }] }, 'filters.0.filter_type'],
    [{ filters: [{ filter_type: 'tier' }] }, 'filters.0.filter_config'],
    [{ filters: [{ ...field('source', '_null'), id: 'one' }] }, 'filters.0.id'],
    [
      { filters: [field('source', '_null'), custom({})] },
      'filters.1.filter_config.custom_field_filters',
    ],
    [
      { filters: [custom({ city: { operator: 'eq', value: 'x' } })] },
      'filters.0.filter_config.custom_field_filters.city.operator',
    ],
    [
      { filters: [custom({ city: { operator: '_in', value: 'x' } })] },
      'filters.0.filter_config.custom_field_filters.city.value',
    ],
    [{ filters: [field('shoe_size', '_eq', 1)] }, 'filters.0.filter_config.field'],
    [{ filters: [field('source', '_eq')] }, 'filters.0.filter_config.value'],
    [{ filters: [field('source', '_eq', 7)] }, 'filters.0.filter_config.value'],
    [{ filters: [field('status', '_eq', 'asleep')] }, 'filters.0.filter_config.value'],
    [{ filters: [field('birth_date', '_gt', 'soon')] }, 'filters.0.filter_config.value'],
    [{ filters: [field('birth_date', '_contains', '19')] }, 'filters.0.filter_config.operator'],
    [{ filters: [field('marketing_consent', '_eq', 'yes')] }, 'filters.0.filter_config.value'],
    [{ filters: [field('marketing_consent', '_gt', true)] }, 'filters.0.filter_config.operator'],
    [{ filters: [field('source', '_in', ['web', 5])] }, 'filters.0.filter_config.value.1'],
    [
      { filters: [field('date_created', '_between', ['2026-01-01'])] },
      'filters.0.filter_config.value',
    ],
    [
      { filters: [field('date_created', '_between', ['2026-02-01', '2026-01-01'])] },
      'filters.0.filter_config.value',
    ],
    [{ filters: [nested(randomUUID())] }, 'filters.0.filter_config.segment_id'],
    [
      { filters: [{ filter_type: 'tier', filter_config: { tier_ids: [randomUUID()] } }] },
      'filters.0.filter_config.tier_ids.0',
    ],
    [
      {
        filters: [
          {
            filter_type: 'wallet_balance',
            filter_config: {
              wallet_type_code: 'gold',
              balance: 'active',
              operator: '_gt',
              value: 1,
            },
          },
        ],
      },
      'filters.0.filter_config.wallet_type_code',
    ],
    [{ filters: [metric({ period_days: 0 })] }, 'filters.0.filter_config.period_days'],
    [{ filters: [metric({ value: '5' })] }, 'filters.0.filter_config.value'],
    [{ filters: [metric({ metric: 'steps' })] }, 'filters.0.filter_config.metric'],
    [{ filters: [metric({ operator: '_contains' })] }, 'filters.0.filter_config.operator'],
    [{ filters: [metric({ operator: undefined })] }, 'filters.0.filter_config.operator'],
    [{ filters: [metric({ since: '2026-01-01' })] }, 'filters.0.filter_config.since'],
    [{ filters: [event({ within_days: undefined })] }, 'filters.0.filter_config.within_days'],
    [{ filters: [event({ event_category: 'weather' })] }, 'filters.0.filter_config.event_category'],
    [{ filters: [event({ value: -1 })] }, 'filters.0.filter_config.value'],
    [{ filters: [{ filter_type: 'pass', filter_config: {} }] }, 'filters.0.filter_config.has_pass'],
    [
      { filters: [{ filter_type: 'tier', filter_config: { tier_ids: [] } }] },
      'filters.0.filter_config.tier_ids',
    ],
  ])('%j, by its place', async (overrides, place) => {
    const body = { name: 'Bad', ...overrides };
    expectRefusal(await workspace.post(':ws/segments', body), 400, 'INVALID_PAYLOAD', place);
    if ('name' in overrides || 'workspace_id' in overrides) return;
    const { id } = await created();
    const patched = await workspace.patch(`/segments/${id}`, overrides);
    expectRefusal(patched, 400, 'INVALID_PAYLOAD', place);
    expect((await workspace.get(`/segments/${id}`)).body.data.filters).toEqual([]);
  });

  test('with all problems at once, when several values are wrong', async () => {
    const filters = [field('source', '_eq', 1), field('birth_date', '_gt', 'soon')];
    const { body } = expectStatus(
      await workspace.post(':ws/segments', { name: 'Bad', filters }),
      400,
    );
    const places = body.errors.map((one: { extensions: object }) => one.extensions);
    expect(places).toMatchObject([
      { field: 'filters.0.filter_config.value' },
      { field: 'filters.1.filter_config.value' },
    ]);
  });

  test('a number, date or choice that the data model defines must be one', async () => {
    const owner = await newWorkspace();
    for (const model of [
      { field_name: 'visits', field_type: 'number' },
      { field_name: 'size', field_type: 'select', options: ['S', 'L'] },
    ]) {
      expectStatus(await owner.post(':ws/data-model', model), 201);
    }
    const at = 'filters.0.filter_config.custom_field_filters';
    const refused = async (asked: object, place: string) => {
      const reply = await owner.post(':ws/segments', { name: 'Bad', filters: [custom(asked)] });
      expectRefusal(reply, 400, 'INVALID_PAYLOAD', `${at}.${place}`);
    };
    await refused({ visits: { operator: '_gt', value: 'many' } }, 'visits.value');
    await refused({ visits: { operator: '_contains', value: '1' } }, 'visits.operator');
    await refused({ size: { operator: '_in', value: ['S', 'XXL'] } }, 'size.value.1');
  });

  test('a segment of another workspace, as one that does not exist', async () => {
    const foreign = await created([], stranger);
    const reply = await workspace.post(':ws/segments', {
      name: 'x',
      filters: [nested(foreign.id)],
    });
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'filters.0.filter_config.segment_id');
  });

  test('to be nested in itself, also later and by a detour', async () => {
    const inner = await created();
    const middle = await created([nested(inner.id)]);
    const outer = await created([field('email', '_nnull'), nested(middle.id, true)]);
    for (const id of [inner.id, middle.id, outer.id]) {
      const reply = await workspace.patch(`/segments/${inner.id}`, {
        filters: [field('email', '_nnull'), nested(id)],
      });
      expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'filters.1.filter_config.segment_id');
    }
    expect(await totalOf(outer.id)).toBe(0);
  });

  test('to be nested in each other by two changes at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await created(), await created()];
      const replies = await Promise.all([
        workspace.patch(`/segments/${one.id}`, { filters: [nested(other.id)] }),
        workspace.patch(`/segments/${other.id}`, { filters: [nested(one.id)] }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('to be deleted while another is made of it', async () => {
    const inner = await created();
    const outer = await created([nested(inner.id)]);
    expectRefusal(await workspace.del(`/segments/${inner.id}`), 409, 'CONFLICT');
    expectStatus(await workspace.del(`/segments/${outer.id}`), 200);
    expectStatus(await workspace.del(`/segments/${inner.id}`), 200);
  });
});

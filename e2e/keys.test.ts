import { call, type Reply } from './support/api';
import { expectStatus, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'beans' });
  expectStatus(
    await workspace.post(':ws/tiers/set', {
      name: 'Regulars',
      conditions: [{ type: 'total_spending' }],
    }),
    201,
  );
});

/** Each kind of configuration whose name may change: where it is made, where it is changed, and the least it takes. */
const KINDS: readonly [string, string, string, Record<string, unknown>][] = [
  ['rewards', ':ws/rewards', ':ws/rewards/', { name: 'Coffee', cost_in_points: 5 }],
  ['tiers', ':ws/tiers', ':ws/tiers/', { name: 'Guest', condition_values: {} }],
  ['segments', ':ws/segments', '/segments/', { name: 'All', filters: [] }],
  [
    'rules',
    ':ws/automations',
    ':ws/automations/',
    {
      name: 'Earn',
      trigger_type: 'transaction',
      effects: [
        { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
      ],
    },
  ],
  ['webhooks', ':ws/webhooks', ':ws/webhooks/', { url: 'https://a.example/', event_types: ['*'] }],
  ['campaigns', ':ws/campaigns', '/campaigns/', { name: 'Spring' }],
  ['projects', ':ws/projects', '/projects/', { name: 'Shop' }],
  ['pass templates', ':ws/pass-templates', '/pass-templates/', { name: 'Card' }],
  ['distributions', ':ws/distributions', ':ws/distributions/', { name: 'Counter' }],
];

/** What a card hangs on, of a workspace. */
async function placeOfCards(of: TestWorkspace) {
  const project = expectStatus(await of.post(':ws/projects', { name: 'Shop' }), 201).body.data;
  const card = { name: 'Card', project_id: project.id };
  const template = expectStatus(await of.post(':ws/pass-templates', card), 201).body.data;
  return { project_id: project.id, pass_template_id: template.id };
}
/** What some kinds are made with besides, in a workspace. */
async function neighboursOf(of: TestWorkspace, kind: string) {
  if (kind === 'distributions') return placeOfCards(of);
  if (kind === 'pass templates') return { project_id: (await placeOfCards(of)).project_id };
  return {};
}

/** What is wrong, in either form of errors. */
const complaintOf = ({ body }: Reply) => (body.errors ?? body.error.details)[0].extensions;

describe.each(KINDS)('the key of %s', (kind, place, one, body) => {
  let neighbours: object;
  beforeAll(async () => {
    neighbours = await neighboursOf(workspace, kind);
  });
  const create = (more: object = {}) => workspace.post(place, { ...body, ...neighbours, ...more });

  test('is shown where one was given, and nowhere else', async () => {
    const { data } = (await create({ key: 'first' })).body;
    expect(data.key).toBe('first');
    expect((await workspace.get(`${one}${data.id}`)).body.data.key).toBe('first');
    expect((await create()).body.data).not.toHaveProperty('key');
  });

  test('is given once: said again it stays, another one is refused and changes nothing', async () => {
    const { id } = (await create()).body.data;
    expect(expectStatus(await workspace.patch(`${one}${id}`, { key: 'given' }), 200)).toBeDefined();
    expectStatus(await workspace.patch(`${one}${id}`, { key: 'given' }), 200);
    for (const key of ['another', null])
      expect(complaintOf(expectStatus(await workspace.patch(`${one}${id}`, { key }), 409))).toEqual(
        {
          code: 'CONFLICT',
          field: 'key',
          reason: 'key_given',
        },
      );
    expect((await workspace.get(`${one}${id}`)).body.data.key).toBe('given');
  });

  test('is another one where somebody asks who has seen the one that ends; it is never taken away', async () => {
    const { id } = (await create({ key: 'old' })).body.data;
    const place = `${one}${id}`.replace(':ws', `/workspace/${workspace.workspaceId}`);
    const patch = (key: string | null, tag: string) =>
      call('PATCH', place, {
        token: workspace.token,
        body: { key },
        headers: { 'If-Match': tag },
      });
    const tag = (await workspace.get(`${one}${id}`)).headers.get('etag')!;
    expect(complaintOf(expectStatus(await patch('new', '*'), 409)).reason).toBe('key_given');
    expect(complaintOf(expectStatus(await patch(null, tag), 409)).reason).toBe('key_given');
    expectStatus(await patch('new', '"another-7"'), 412);
    expectStatus(await patch('new', tag), 200);
    expect((await workspace.get(`${one}${id}`)).body.data.key).toBe('new');
    expect((await create({ key: 'old' })).status).toBeLessThan(300);
    const now = (await workspace.get(`${one}${id}`)).headers.get('etag')!;
    expect(complaintOf(expectStatus(await patch('old', now), 409)).reason).toBe('key_taken');
  });

  test('belongs to one of them, also where several want it at once', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => create({ key: 'wanted' })));
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(3);
    for (const reply of refused)
      expect(complaintOf(reply)).toMatchObject({ field: 'key', reason: 'key_taken' });
    const { id } = (await create()).body.data;
    const late = expectStatus(await workspace.patch(`${one}${id}`, { key: 'wanted' }), 409);
    expect(complaintOf(late)).toMatchObject({ field: 'key', reason: 'key_taken' });
  });

  test('is another workspace’s own', async () => {
    const other = await newWorkspace();
    await newWalletType(other, { code: 'beans' });
    if (place === ':ws/tiers')
      await other.post(':ws/tiers/set', { name: 'Set', conditions: [{ type: 'total_spending' }] });
    await create({ key: 'shared' });
    const there = { ...body, ...(await neighboursOf(other, kind)), key: 'shared' };
    expect((await other.post(place, there)).status).toBeLessThan(300);
  });

  test('refuses what no file could hold', async () => {
    for (const key of ['', 'Ä', 'two words', 'x'.repeat(64)])
      expect(complaintOf(expectStatus(await create({ key }), 400)).field).toBe('key');
  });

  test('finds the one that bears it, and nothing where none does', async () => {
    const { id } = (await create({ key: 'looked-for' })).body.data;
    const found = expectStatus(await workspace.get(`${place}?key=looked-for`), 200).body.data;
    expect(found.map((row: { id: string }) => row.id)).toEqual([id]);
    expect((await workspace.get(`${place}?key=nobody`)).body.data).toEqual([]);
    expectStatus(await workspace.get(`${place}?key=Not a key`), 400);
  });
});

test('a copy of what bears a key bears none', async () => {
  const place = await placeOfCards(workspace);
  const made = async (path: string, body: object) =>
    (await workspace.post(path, { ...body, key: 'copied' })).body.data.id as string;
  const card = await made(':ws/pass-templates', { name: 'A', project_id: place.project_id });
  const form = await made(':ws/distributions', { name: 'A', ...place });
  const campaign = await made(':ws/campaigns', { name: 'A' });
  for (const path of [
    `/pass-templates/${card}/duplicate`,
    `:ws/distributions/${form}/duplicate`,
    `/campaigns/${campaign}/duplicate`,
  ])
    expect((await workspace.post(path, {})).body.data).not.toHaveProperty('key');
});

/** Kinds that bear no key are called by something, too. */
const CALLED: readonly [string, string, string, string, Record<string, unknown>][] = [
  ...KINDS.filter(([kind]) => kind !== 'webhooks').map(
    ([kind, place, one, body]) =>
      [kind, 'name', place, one, body] satisfies (typeof CALLED)[number],
  ),
  ['wallet types', 'name', ':ws/wallet-types', ':ws/wallet-types/', { code: 'stamps' }],
  [
    'fields',
    'field_label',
    ':ws/data-model',
    ':ws/data-model/',
    { field_name: 'shoe', field_type: 'text' },
  ],
];

test.each(CALLED)('%s are called by more than spaces (%s), new and changed', async (...row) => {
  const [kind, field, place, one, body] = row;
  const whole = { ...body, ...(await neighboursOf(workspace, kind)) };
  const refused = { code: 'INVALID_PAYLOAD', field };
  const blank = await workspace.post(place, { ...whole, [field]: ' \u00a0 ' });
  expect(complaintOf(expectStatus(blank, 400))).toMatchObject(refused);
  const made = await workspace.post(place, { ...whole, [field]: 'Called' });
  const change = await workspace.patch(`${one}${made.body.data.id}`, { [field]: '   ' });
  expect(complaintOf(expectStatus(change, 400))).toMatchObject(refused);
});

test('so are a tier set and a workspace', async () => {
  for (const path of [':ws/tiers/set', ':ws'])
    expect(
      complaintOf(expectStatus(await workspace.patch(path, { name: ' ' }), 400)),
    ).toMatchObject({ code: 'INVALID_PAYLOAD', field: 'name' });
});

import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { workOff } from '@laurel/testing';
import type { Profile } from '../domain/segments/profile';
import { createHarness, type Harness, KNOWN_TIER } from '../testing/harness';
import { backfillProfiles, backfillWorker } from './backfill-profiles';
import { createSegment } from './create-segment';
import { exportClients } from './export-clients';
import { listClients } from './list-clients';
import { listLastEvents } from './list-last-events';
import { recordCustomEvent } from './record-custom-event';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const client = async (fields: Partial<api.CreateClientRequest>, known: Partial<Profile> = {}) => {
  harness.clock.advanceMs(1_000);
  const { id } = await harness.client(fields);
  const changes = new Map([[id, (profile: Profile) => ({ ...profile, ...known })]]);
  await unitOfWork(harness.deps.connection, (session) =>
    harness.deps.profiles.revise(harness.workspaceId, changes, session),
  );
  return id;
};
const list = (filter: Partial<api.ClientFilter>, more: Partial<api.ListClientsRequest> = {}) =>
  listClients(harness.deps, {
    workspace_id: harness.workspaceId,
    filter: { tier_ids: [], custom_fields: [], ...filter },
    limit: 50,
    offset: 0,
    ...more,
  });
const named = async (filter: Partial<api.ClientFilter>) =>
  (await list(filter)).clients.map(({ first_name }) => first_name);
const has = (field_name: string, ...values: string[]) => ({
  custom_fields: [{ field_name, values }],
});

test('a phone number that is typed with gaps, or as it is dialled, finds whose it is', async () => {
  await client({ first_name: 'Ann', phone: '+48504420601' });
  await client({ first_name: 'Bea', phone: '+48 504 420 601' });
  await client({ first_name: 'Cleo', phone: '+48504420602' });
  for (const search of ['504 420 601', '0504-420-601', '0048504420601', '+48 504420601'])
    expect([search, await named({ search })]).toEqual([search, ['Bea', 'Ann']]);
});

test('filters by segment, tier, card and own fields compose with those of columns, newest first', async () => {
  const { deps, workspaceId } = harness;
  const pass = { passes: [{ id: 'card', template_id: 'template', installed: false }] };
  await client({ first_name: 'Ann', source: 'web' }, { tier_id: KNOWN_TIER });
  await client({ first_name: 'Bea', email: 'bea@example.com' }, { tier_id: KNOWN_TIER, ...pass });
  await client({ first_name: 'Cleo', status: 'inactive' }, pass);
  const filters = [
    {
      filter_type: 'client_field',
      filter_config: { field: 'first_name', operator: '_neq', value: 'Ann' },
    },
  ];
  const { id: segment_id } = await createSegment(deps, {
    workspace_id: workspaceId,
    name: 'Not Ann',
    filters: filters as never,
  });
  expect(await named({ segment_id })).toEqual(['Cleo', 'Bea']);
  expect(await named({ tier_ids: [KNOWN_TIER] })).toEqual(['Bea', 'Ann']);
  expect(await named({ tier_ids: ['untiered', KNOWN_TIER] })).toEqual(['Cleo', 'Bea', 'Ann']);
  expect(await named({ has_pass: true })).toEqual(['Cleo', 'Bea']);
  expect(await named({ has_pass: false })).toEqual(['Ann']);
  expect(await named({ has_pass: true, status: 'active' })).toEqual(['Bea']);
  expect(await named({ tier_ids: [KNOWN_TIER], source: 'web' })).toEqual(['Ann']);
  expect(await named({ has_pass: true, email: 'BEA@example.com' })).toEqual(['Bea']);
  expect(await named({ has_pass: true, email: 'nobody@example.com' })).toEqual([]);
  expect(await named({ has_pass: true, segment_id, tier_ids: [KNOWN_TIER] })).toEqual(['Bea']);
});

test('an own field is compared with each of the values, whatever its type', async () => {
  await client({ first_name: 'Ann', custom_fields: { shop: 5, vip: true } });
  await client({ first_name: 'Bea', custom_fields: { shop: '5', 'a.b': ['x', 'y'] } });
  await client({ first_name: 'Cleo', custom_fields: { shop: 'five' } });
  expect(await named(has('shop', '5'))).toEqual(['Bea', 'Ann']);
  expect(await named(has('shop', '5', 'five'))).toEqual(['Cleo', 'Bea', 'Ann']);
  expect(await named(has('vip', 'true'))).toEqual(['Ann']);
  expect(await named(has('a.b', 'y'))).toEqual(['Bea']);
  expect(await named(has('shop', '\0'))).toEqual([]);
});

test('a search within a segment compares full names, addresses and numbers as of now, without accents', async () => {
  const id = await client({ first_name: 'Zoë', last_name: 'Lee' }, { passes: [] });
  await client({ first_name: 'Ann', last_name: 'Leeds' });
  expect(await named({ has_pass: false, search: 'zoe lee' })).toEqual(['Zoë']);
  // Too short for the index of pieces.
  expect(await named({ has_pass: false, search: 'oe' })).toEqual(['Zoë']);
  await updateClient(harness.deps, { workspace_id: harness.workspaceId, id, first_name: 'Ida' });
  expect(await named({ has_pass: false, search: 'zoe lee' })).toEqual([]);
  expect(await named({ has_pass: false, search: 'ida lee' })).toEqual(['Ida']);
});

test('pages follow each other in whatever order, each client once, and tell the total', async () => {
  for (const first_name of ['Dora', 'Ann', 'Cleo', 'Bea']) await client({ first_name });
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ has_pass: false }, { limit: 3, cursor, sort: 'first_name' });
    expect(page.total).toBe(4);
    seen.push(...page.clients.map(({ first_name }) => first_name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(['Ann', 'Bea', 'Cleo', 'Dora']);
});

test('a tier that the workspace does not have is refused, alone and beside one that it has', async () => {
  const unknown = { code: 'INVALID_PAYLOAD', problems: [{ field: 'tier_id' }] };
  for (const tier_ids of [[newId()], [KNOWN_TIER, newId()], ['untiered', newId()]])
    await expect(list({ tier_ids })).rejects.toMatchObject(unknown);
  expect(await named({ tier_ids: [KNOWN_TIER, KNOWN_TIER] })).toEqual([]);
});

test('a segment of another workspace is refused as one that is not there', async () => {
  const foreign = await createSegment(harness.deps, {
    workspace_id: newId(),
    name: 'Theirs',
    filters: [],
  });
  await expect(list({ segment_id: foreign.id })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
    problems: [{ field: 'segment_id' }],
  });
});

test('an export holds those whom the list shows, with a column for each of their own fields', async () => {
  await client({ first_name: 'Ann', custom_fields: { shop: 5 } });
  await client({ first_name: 'Bea', custom_fields: { pet: 'cat' } });
  const filter = { tier_ids: [], ...has('shop', '5') };
  let csv = '';
  const asked = { workspace_id: harness.workspaceId, filter, format: 'csv' };
  for await (const { text } of exportClients(harness.deps, asked)) csv += text;
  const [head, ...rows] = csv.trim().split('\r\n');
  expect(head!.split(',').at(-1)).toBe('custom_fields.shop');
  expect(head).not.toContain('pet');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain('Ann');
});

test('a profile that was made before texts were kept is found by its text once it was seen to', async () => {
  const { connection } = harness.deps;
  await client({ first_name: 'Ann' });
  await connection.collection('client_profiles').updateMany({}, { $unset: { search_text: '' } });
  expect(await named({ has_pass: false, search: 'ann' })).toEqual([]);
  while ((await backfillProfiles(harness.deps)).more);
  await workOff(backfillWorker(harness.deps));
  expect(await named({ has_pass: false, search: 'ann' })).toEqual(['Ann']);
});

test('each client comes with what they did last, of what they do themselves', async () => {
  const { deps, workspaceId, clock } = harness;
  const active = await client({ first_name: 'Ann' });
  const silent = await client({ first_name: 'Bea' });
  const record = (event_type: string) =>
    recordCustomEvent(deps, {
      workspace_id: workspaceId,
      client_id: active,
      event_type,
      metadata: {},
      event_timestamp: clock.now().toISOString(),
    } as never);
  await record('table.booked');
  clock.advanceMs(1_000);
  await record('table.left');
  const asked = { workspace_id: workspaceId, ids: [active, silent, newId()] };
  expect((await listLastEvents(deps, asked)).events).toEqual([
    {
      client_id: active,
      event_category: 'custom',
      event_type: 'table.left',
      event_timestamp: clock.now().toISOString(),
    },
  ]);
  const foreign = await listLastEvents(deps, { ...asked, workspace_id: newId() });
  expect(foreign.events).toEqual([]);
});

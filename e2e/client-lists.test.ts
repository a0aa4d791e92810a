import { until } from '@laurel/testing';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

let workspace: TestWorkspace;
let tierId: string;
let ann: { id: string };
let bea: { id: string };

beforeAll(async () => {
  workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'beans', is_default: true });
  const set = { name: 'Regulars', conditions: [] };
  expectStatus(await workspace.post(':ws/tiers/set', set), 201);
  const tier = await workspace.post(':ws/tiers', {
    name: 'Gold',
    color: '#ffd500',
    kind: 'exclusive',
    condition_values: {},
  });
  tierId = expectStatus(tier, 201).body.data.id;
  const loyal = { loyalty_program_enabled: true };
  ann = await newClient(workspace, { first_name: 'Ann', custom_fields: { shop: 5 }, ...loyal });
  bea = await newClient(workspace, { first_name: 'Bea', ...loyal });
  const assign = { client_id: ann.id, tier_id: tierId };
  expectStatus(await workspace.post(':ws/tiers/assign', assign), 200);
  const points = { client_id: ann.id, amount: 12.5, description: 'A present' };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', points), 201);
  const visit = { client_id: ann.id, event_type: 'table.booked' };
  expectStatus(await workspace.post(':ws/custom-events', visit), 201);
});

const list = async (query: string) =>
  expectStatus(await workspace.get(`:ws/clients?${query}`), 200);
const idsOf = async (query: string) =>
  (await list(query)).body.data.map(({ id }: { id: string }) => id);

test('a list of clients tells the balances, the tier and the last visit of each, where that is asked for', async () => {
  const { body } = await list('expand=wallets&expand=tier&expand=last_event');
  const [second, first] = body.data;
  expect(first).toMatchObject({
    id: ann.id,
    wallets: [{ wallet_type_code: 'beans', active_balance: 12.5, pending_balance: 0 }],
    tier: { id: tierId, name: 'Gold', color: '#ffd500' },
    last_event: { event_category: 'custom', event_type: 'table.booked' },
  });
  expect(second).toMatchObject({
    id: bea.id,
    wallets: [{ wallet_type_code: 'beans', active_balance: 0 }],
    tier: null,
    last_event: null,
  });
  expect((await list('')).body.data[0]).not.toHaveProperty('wallets');
  expectStatus(await workspace.get(':ws/clients?expand=passes'), 400);
});

test('lists and exports of clients go by segment, tier, card and own fields', async () => {
  const { body } = await workspace.post(':ws/segments', {
    name: 'With B',
    filters: [
      {
        filter_type: 'client_field',
        filter_config: { field: 'first_name', operator: '_starts_with', value: 'B' },
      },
    ],
  });
  const segmentId = body.data.id;
  expect(await idsOf(`segment_id=${segmentId}`)).toEqual([bea.id]);
  await until(async () => (await idsOf(`tier_id=${tierId}`)).includes(ann.id));
  expect(await idsOf(`tier_id=${tierId}`)).toEqual([ann.id]);
  expect(await idsOf(`tier_id=${tierId}&tier_id=untiered&has_pass=false`)).toEqual([
    bea.id,
    ann.id,
  ]);
  expect(await idsOf('has_pass=true')).toEqual([]);
  expect(await idsOf('cf_shop=5&cf_shop=6')).toEqual([ann.id]);
  expect(await idsOf(`segment_id=${segmentId}&search=bea`)).toEqual([bea.id]);

  const file = await workspace.get(`:ws/clients/export?format=csv&segment_id=${segmentId}`);
  expect(expectStatus(file, 200).text).toContain('Bea');
  expect(file.text).not.toContain('Ann');
  const params = { segment_id: segmentId };
  expectStatus(await workspace.post(':ws/downloads', { kind: 'customers', params }), 201);

  const stranger = await newWorkspace();
  const refused = await stranger.get(`:ws/clients?segment_id=${segmentId}`);
  expect(expectStatus(refused, 400).body.errors[0].extensions.field).toBe('segment_id');
});

test('pages of a segment lead on to the last of its clients', async () => {
  const { body } = await workspace.post(':ws/segments', { name: 'All', filters: [] });
  const page = async (more = '') =>
    expectStatus(await workspace.get(`/segments/${body.data.id}/clients?limit=1${more}`), 200).body;
  const first = await page();
  expect(first.data).toMatchObject([{ id: bea.id }]);
  const second = await page(`&cursor=${encodeURIComponent(first.meta.next_cursor)}`);
  expect(second.data).toMatchObject([{ id: ann.id }]);
  expect(second.meta).toBeUndefined();
  expectStatus(await workspace.get(`/segments/${body.data.id}/clients?cursor=nonsense`), 400);
});

import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Profile } from '../domain/segments/profile';
import { createHarness, type Harness } from '../testing/harness';
import { createSegment } from './create-segment';
import { measureAudience } from './measure-audience';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const [GOLD, SILVER] = [newId(), newId()];
const CARD = { id: 'card', template_id: 'template', installed: true };
const client = async (fields: Partial<api.CreateClientRequest>, known: Partial<Profile>) => {
  const { id } = await harness.client(fields);
  const changes = new Map([[id, (profile: Profile) => ({ ...profile, ...known })]]);
  await unitOfWork(harness.deps.connection, (session) =>
    harness.deps.profiles.revise(harness.workspaceId, changes, session),
  );
  return id;
};
const segmentOf = (first_name: string, workspace_id = harness.workspaceId) =>
  createSegment(harness.deps, {
    workspace_id,
    name: first_name,
    filters: [
      {
        filter_type: 'client_field',
        filter_config: { field: 'first_name', operator: '_eq', value: first_name },
      },
    ],
  });
const measure = (asked: Partial<api.MeasureAudienceRequest>) =>
  measureAudience(harness.deps, {
    workspace_id: harness.workspaceId,
    client_ids: [],
    locks: [],
    ...asked,
  });

test('an audience is counted by who has a pass, who consents, and who does both', async () => {
  const [passes, agreed] = [{ passes: [CARD, CARD] }, { marketing_consent: true }];
  await client({ first_name: 'Ana', ...agreed }, passes);
  await client({ first_name: 'Ana', ...agreed }, {});
  await client({ first_name: 'Ana' }, passes);
  await client({ first_name: 'Ben', ...agreed }, passes);
  const { id } = await segmentOf('Ana');
  expect(await measure({ segment_id: id })).toEqual({
    total: 3,
    reachable: 2,
    consenting: 2,
    addressable: 1,
    loyalty_enabled: 0,
    admissions: [],
  });
});

test('of a list those count who are active clients of the workspace', async () => {
  const [here, away] = [await client({}, {}), await client({}, {})];
  await updateClient(harness.deps, {
    workspace_id: harness.workspaceId,
    id: away,
    status: 'inactive',
  });
  const elsewhere = await harness.client({ workspace_id: newId() });
  const client_ids = [here, away, elsewhere.id, newId()];
  expect(await measure({ client_ids })).toMatchObject({ total: 1 });
});

test('a lock lets in who is in one of its tiers and in one of its segments', async () => {
  const ids = [
    await client({ first_name: 'Ana' }, { tier_id: GOLD }),
    await client({ first_name: 'Ben' }, { tier_id: GOLD }),
    await client({ first_name: 'Cleo' }, { tier_id: SILVER }),
    await client({ first_name: 'Ana' }, {}),
  ];
  const [ana, cleo] = [(await segmentOf('Ana')).id, (await segmentOf('Cleo')).id];
  const locks = [
    { tier_ids: [], segment_ids: [] },
    { tier_ids: [GOLD, SILVER], segment_ids: [] },
    { tier_ids: [GOLD], segment_ids: [ana, cleo] },
    { tier_ids: [], segment_ids: [cleo, ana] },
    { tier_ids: [], segment_ids: [newId()] },
  ];
  expect((await measure({ client_ids: ids, locks })).admissions).toEqual([
    { by_tier: 4, admitted: 4 },
    { by_tier: 3, admitted: 3 },
    { by_tier: 2, admitted: 1 },
    { by_tier: 4, admitted: 3 },
    { by_tier: 4, admitted: 0 },
  ]);
});

test('a lock looks at the tier that is assigned until then, where somebody can have one', async () => {
  const VIP = newId();
  const enabled = { loyalty_program_enabled: true };
  const ids = [
    await client({ first_name: 'Ana', ...enabled }, { tier_id: GOLD }),
    await client({ first_name: 'Ben', ...enabled }, {}),
    await client({ first_name: 'Ben' }, {}),
  ];
  const segment_ids = [(await segmentOf('Ben')).id];
  const locks = [
    { tier_ids: [VIP], segment_ids: [], assigned_tier_id: VIP },
    { tier_ids: [VIP], segment_ids, assigned_tier_id: VIP },
    { tier_ids: [GOLD], segment_ids: [], assigned_tier_id: VIP },
    { tier_ids: [VIP], segment_ids: [] },
  ];
  expect(await measure({ client_ids: ids, locks })).toMatchObject({
    total: 3,
    loyalty_enabled: 2,
    admissions: [
      { by_tier: 2, admitted: 2 },
      { by_tier: 2, admitted: 1 },
      { by_tier: 0, admitted: 0 },
      { by_tier: 0, admitted: 0 },
    ],
  });
});

test('a segment of another workspace has no audience here', async () => {
  const { id } = await segmentOf('Ana', newId());
  await expect(measure({ segment_id: id })).rejects.toMatchObject({ httpStatus: 404 });
});

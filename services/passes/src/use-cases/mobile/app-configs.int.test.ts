import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { createStores } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { createAppConfig, deleteAppConfig, getAppConfig, updateAppConfig } from './app-configs';

let harness: Harness;
let now: Date;
let told: identity.MobileAppAccess[];
let isIdentityAway: boolean;

beforeEach(async () => {
  harness = await createHarness();
  [now, told, isIdentityAway] = [new Date('2026-03-01T12:00:00.000Z'), [], false];
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });

function setUp() {
  const peer = {
    PutMobileAppAccess: async (access: identity.MobileAppAccess) => {
      if (isIdentityAway) throw new Error('identity is away');
      told.push(access);
      return {};
    },
    ListRoles: async () => ({ data: [] }),
    GetSettings: async () => ({ default_locale: 'de-AT' }) as identity.Settings,
  };
  return {
    ...harness.deps,
    ...createStores(harness.connection),
    identity: { ...harness.deps.identity, ...peer },
    clock: { now: () => now },
  };
}

test('each change of who may use the app is later than the one before, whatever the clocks say', async () => {
  const deps = setUp();
  await createAppConfig(deps, own());
  now = new Date('2026-03-01T11:00:00.000Z');
  await updateAppConfig(deps, { ...own(), is_enabled: false });
  await deleteAppConfig(deps, own());
  await createAppConfig(deps, { ...own(), is_enabled: false });
  const moments = told.map(({ changed_at }) => changed_at);
  expect(moments).toEqual([...new Set(moments)].sort());
  expect(told.map(({ is_enabled }) => is_enabled)).toEqual([true, false, true, false]);
});

test('a change counts while identity is away: its event tells of it', async () => {
  const deps = setUp();
  isIdentityAway = true;
  await createAppConfig(deps, { ...own(), is_enabled: false });
  expect((await getAppConfig(deps, own())).config?.is_enabled).toBe(false);
  const [event] = await harness.told('passes.mobile_app_config_updated');
  expect(event?.data).toEqual({
    workspace_id: harness.workspaceId,
    is_enabled: false,
    allowed_role_ids: null,
    changed_at: now.toISOString(),
  });
});

test('a refused change makes no event', async () => {
  const deps = setUp();
  await createAppConfig(deps, own());
  await expect(createAppConfig(deps, own())).rejects.toMatchObject({ httpStatus: 400 });
  expect(told).toHaveLength(1);
  expect(await harness.told('passes.mobile_app_config_updated')).toHaveLength(1);
});

test('a repeat of one operation is answered as the first time, and tells identity again', async () => {
  const deps = setUp();
  const context = systemContext({ operationId: newId(), operationKept: true });
  const create = () => runInContext(context, () => createAppConfig(deps, own()));
  const first = await create();
  expect(await create()).toEqual(first);
  expect(told.map(({ changed_at }) => changed_at)).toEqual(
    [now, now].map((at) => at.toISOString()),
  );
  expect(await harness.told('passes.mobile_app_config_updated')).toHaveLength(1);
});

test('the buttons that an app starts with speak the language of the shop', async () => {
  const { actions } = await createAppConfig(setUp(), own());
  const names = ['Punkte geben', 'Punkte nehmen', 'Prämie einlösen', 'Daten ändern'];
  expect(actions.map(({ name }) => name)).toEqual(names);
});

test('what goes with a workspace leaves others alone', async () => {
  const deps = setUp();
  const other = { workspace_id: newId() };
  await createAppConfig(deps, own());
  await createAppConfig(deps, other);
  await removeWorkspace(deps, harness.workspaceId);
  expect(await getAppConfig(deps, own())).toEqual({});
  expect((await getAppConfig(deps, other)).config?.actions).toHaveLength(4);
});

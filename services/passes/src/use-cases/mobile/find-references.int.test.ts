import { newId } from '@laurel/lifecycle';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { createAppAction, updateAppAction } from './app-actions';
import { createAppConfig, deleteAppConfig } from './app-configs';
import { findReferences } from './find-references';

let harness: Harness;
let deps: MobileDeps;
beforeEach(async () => {
  harness = await createHarness();
  const identity = {
    ...harness.deps.identity,
    PutMobileAppAccess: async () => ({}),
    GetSettings: async () => ({ default_locale: 'en', default_currency: 'EUR' }),
  };
  deps = { ...harness.deps, ...createStores(harness.connection), identity } as never;
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });
const named = async (kind: string, ids: string[], of = harness.workspaceId) =>
  (await findReferences(deps, { workspace_id: of, kind, ids: [newId(), ...ids] })).references;

test('an action of the staff app names the wallet types whose points it moves, while it is enabled', async () => {
  expect(await named('wallet_type', ['stars'])).toEqual([]);
  await createAppConfig(deps, own());
  harness.peers.walletTypes = [{ code: 'beans' }, { code: 'stars' }];
  const gift = {
    name: 'Gift',
    action_type: 'add_points',
    action_config: { wallet_type_codes: ['beans', 'stars'] },
  };
  const { id } = await createAppAction(deps, { ...own(), ...gift } as never);
  expect(await named('wallet_type', ['stars'])).toEqual([
    { type: 'mobile_app_action', id, name: 'Gift' },
  ]);
  expect(await named('wallet_type', ['euros'])).toEqual([]);
  expect(await named('tier', ['stars'])).toEqual([]);
  expect(await named('wallet_type', ['stars'], newId())).toEqual([]);
  await updateAppAction(deps, { ...own(), id, is_enabled: false } as never);
  expect(await named('wallet_type', ['stars'])).toEqual([]);
  await updateAppAction(deps, { ...own(), id, is_enabled: true } as never);
  expect(await named('wallet_type', ['beans'])).toHaveLength(1);
  await deleteAppConfig(deps, own());
  expect(await named('wallet_type', ['beans'])).toEqual([]);
});

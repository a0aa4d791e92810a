import { newId } from '@laurel/lifecycle';
import type { passes as api, automations } from '@laurel/rpc';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { createAppAction } from './app-actions';
import { createAppConfig } from './app-configs';
import { quoteAppAction } from './quote-app-action';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test.each([true, false])(
  'a quote says whether rules may do more than it foretells: %s',
  async (is_cut) => {
    const simulation: Partial<automations.Simulation> = { matched: [], following: [], is_cut };
    const deps = {
      ...harness.deps,
      ...createStores(harness.connection),
      identity: {
        ...harness.deps.identity,
        PutMobileAppAccess: async () => ({}),
        GetSettings: async () => ({ default_locale: 'en', default_currency: 'EUR' }),
      },
      automations: { Simulate: async () => simulation },
    } as unknown as MobileDeps;
    const own = { workspace_id: harness.workspaceId };
    await createAppConfig(deps, own);
    const template = await harness.template((await harness.project()).id);
    const pass = await harness.pass(template, { client_id: harness.client() });
    const sale = { ...own, name: 'Sale', action_type: 'add_transaction' };
    const { id: action_id } = await createAppAction(deps, sale as never);
    const quote = await quoteAppAction(
      deps as never,
      {
        ...own,
        role_id: newId(),
        session_id: newId(),
        pass_id: pass.id,
        action_id,
        data: { amount: 5 },
      } as api.ExecuteMobileAppActionRequest,
    );
    expect(quote).toMatchObject({ effects: [], is_cut });
  },
);

import { platform } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { passes as api, clients, ledger } from '@laurel/rpc';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { updatePass } from '../pass/update-pass';
import { createAppAction, deleteAppAction, updateAppAction } from './app-actions';
import { createAppConfig } from './app-configs';
import { executeAppAction } from './execute-app-action';
import { signUpClient } from './sign-up-client';

let harness: Harness;
let deps: MobileDeps;
beforeEach(async () => {
  harness = await createHarness();
  const { identity, clients: peer } = harness.deps;
  const eventOf = ({ id }: { id: string }) => harness.peers.trail.find((entry) => entry.id === id)!;
  deps = {
    ...harness.deps,
    ...createStores(harness.connection),
    identity: {
      ...identity,
      PutMobileAppAccess: async () => ({}),
      GetSettings: async () => ({ default_locale: 'en', default_currency: 'EUR' }),
    },
    clients: {
      ...peer,
      GetEvent: async (request: { id: string }) => eventOf(request) as unknown as clients.Event,
      CreateClient: () => Promise.reject(platform.serviceUnavailable()),
    },
  } as unknown as MobileDeps;
  await createAppConfig(deps, own());
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });

/** What is asked under one key, as the gateway says it once Redis has forgotten the key. */
function underKey<Asked, T>(work: (asked: Asked) => Promise<T>): (asked: Asked) => Promise<T> {
  const operationId = newId();
  return (asked) => {
    const fingerprint = JSON.stringify(asked);
    return runInContext(systemContext({ operationId, operationKept: true, fingerprint }), () =>
      work(asked),
    );
  };
}

test('another purchase under the key of one is refused, and the first is answered again', async () => {
  const template = await harness.template((await harness.project()).id);
  const pass = await harness.pass(template, { client_id: harness.client() });
  const sale = { name: 'Sale', action_type: 'add_transaction' };
  const { id: action_id } = await createAppAction(deps, { ...own(), ...sale } as never);
  const about = { ...own(), role_id: newId(), session_id: newId(), pass_id: pass.id, action_id };
  const sell = underKey((amount: number) =>
    executeAppAction(deps, { ...about, data: { amount } } as api.ExecuteMobileAppActionRequest),
  );
  const first = await sell(5);
  await expect(sell(6)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await sell(5)).toEqual(first);
});

test('a purchase that is dated too far ahead is refused on its date, and one of the next weeks is not', async () => {
  const template = await harness.template((await harness.project()).id);
  const pass = await harness.pass(template, { client_id: harness.client() });
  const sale = { name: 'Sale', action_type: 'add_transaction' };
  const { id: action_id } = await createAppAction(deps, { ...own(), ...sale } as never);
  const about = { ...own(), role_id: newId(), session_id: newId(), pass_id: pass.id, action_id };
  const sell = underKey((transaction_timestamp: string) => {
    const data = { amount: 5, transaction_timestamp };
    return executeAppAction(deps, { ...about, data } as api.ExecuteMobileAppActionRequest);
  });
  const field = 'data.transaction_timestamp';
  await expect(sell('9999-12-31')).rejects.toMatchObject({ problems: [{ field }] });
  const soon = new Date(harness.clock.now().getTime() + 30 * 86_400_000).toISOString();
  const { result } = await sell(soon);
  expect(result).toMatchObject({ event_timestamp: soon });
});

test('a booking whose answer was lost is answered as the first time, whatever has ended since', async () => {
  const template = await harness.template((await harness.project()).id);
  const pass = await harness.pass(template, { client_id: harness.client() });
  const sale = { name: 'Sale', action_type: 'add_transaction' };
  const { id: action_id } = await createAppAction(deps, { ...own(), ...sale } as never);
  const occurred_at = new Date(harness.clock.now().getTime() - 3_600_000).toISOString();
  const about = { ...own(), role_id: newId(), session_id: newId(), pass_id: pass.id, action_id };
  const asked = { ...about, occurred_at, data: { amount: 5 } };
  const sell = underKey((request: object) =>
    executeAppAction(deps, request as api.ExecuteMobileAppActionRequest),
  );
  const first = await sell(asked);
  harness.clock.advanceMs(4 * 86_400_000);
  await updateAppAction(deps, { ...own(), id: action_id, is_enabled: false } as never);
  await updatePass(deps, { ...own(), id: pass.id, status: 'voided' } as never);
  expect(await sell(asked)).toEqual(first);
  const anew = underKey((request: object) =>
    executeAppAction(deps, request as api.ExecuteMobileAppActionRequest),
  );
  await expect(anew(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a booking whose action was deleted since is answered as the first time, for a day', async () => {
  const template = await harness.template((await harness.project()).id);
  const pass = await harness.pass(template, { client_id: harness.client() });
  const sale = {
    name: 'Sale',
    action_type: 'add_transaction',
    action_config: { default_amount: 5 },
    form_fields: [{ name: 'table', label: 'Table', type: 'text', required: true }],
  };
  const { id: action_id } = await createAppAction(deps, { ...own(), ...sale } as never);
  const about = { ...own(), role_id: newId(), session_id: newId(), pass_id: pass.id, action_id };
  const asked = { ...about, data: { table: '7' } };
  const sell = underKey((request: object) =>
    executeAppAction(deps, request as api.ExecuteMobileAppActionRequest),
  );
  const first = await sell(asked);
  await deleteAppAction(deps, { ...own(), id: action_id });
  expect(await sell(asked)).toEqual(first);
  const gone = { code: 'RECORD_NOT_FOUND' };
  await expect(sell({ ...asked, action_id: newId() })).rejects.toMatchObject(gone);
  const anew = underKey((request: object) =>
    executeAppAction(deps, request as api.ExecuteMobileAppActionRequest),
  );
  await expect(anew(asked)).rejects.toMatchObject(gone);
  harness.clock.advanceMs(86_400_001);
  await expect(sell(asked)).rejects.toMatchObject(gone);
});

test('points that an action gave by itself are answered as the first time, though it was deleted since', async () => {
  const template = await harness.template((await harness.project()).id);
  const pass = await harness.pass(template, { client_id: harness.client() });
  harness.peers.walletTypes = [{ code: 'beans' }, { code: 'stars' }];
  const gift = {
    name: 'Gift',
    action_type: 'add_points',
    action_config: { default_points: 5, wallet_type_codes: ['stars'] },
  };
  const earned: unknown[] = [];
  const wallet = { client_wallet_id: newId() };
  const EarnPoints = async ({ amount, wallet_type_code }: ledger.EarnRequest) => {
    earned.push([amount, wallet_type_code]);
    return { entry: { id: 'entry', amount, ...wallet } };
  };
  const GetBalances = async () => ({
    wallets: [{ wallet: { id: wallet.client_wallet_id }, wallet_type: { code: 'stars' } }],
  });
  const peer = { ...deps.ledger, EarnPoints, GetBalances } as unknown as MobileDeps['ledger'];
  const { id: action_id } = await createAppAction(deps, { ...own(), ...gift } as never);
  const about = { ...own(), role_id: newId(), session_id: newId(), pass_id: pass.id, action_id };
  const give = underKey((data: object) => {
    const request = { ...about, data } as api.ExecuteMobileAppActionRequest;
    return executeAppAction({ ...deps, ledger: peer }, request);
  });
  const first = await give({});
  await deleteAppAction(deps, { ...own(), id: action_id });
  expect(await give({})).toEqual(first);
  expect(earned).toEqual([
    [5, 'stars'],
    [5, 'stars'],
  ]);
});

test('another person under the key of a sign-up that broke off is refused', async () => {
  await harness.template((await harness.project()).id, { pass_type: 'LOYALTY' });
  const signUp = underKey((first_name: string) =>
    signUpClient(deps, { ...own(), role_id: newId(), first_name } as api.MobileSignUpRequest),
  );
  await expect(signUp('Ada')).rejects.toMatchObject({ httpStatus: 503 });
  await expect(signUp('Bo')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(signUp('Ada')).rejects.toMatchObject({ httpStatus: 503 });
});

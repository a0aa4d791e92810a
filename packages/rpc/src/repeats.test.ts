import { readdirSync } from 'node:fs';
import path from 'node:path';
import { loadService } from './protos';

/** What takes something away or decides it once, and still answers its repeat as it answered the first. */
const KNOWS_ITS_REPEAT = [
  // Nothing to take away is a success there.
  'identity.RevokeApiToken',
  'passes.DeleteWalletCredentials',
  'passes.UnregisterAppleDevice',
  'tiers.UnassignTier',
  'clients.AbandonImport',
  // Applied once for one operation, whose id every repeat carries.
  'ledger.CancelEntry',
  'ledger.ReleaseLock',
  'passes.UndoStaffOperation',
  'rewards.CancelRedemption',
];
const TAKES_AWAY = /^(Delete|Remove|Revoke|Cancel|Abandon|Un|Release|Archive|Accept)/;

test('no call is repeated by itself that would refuse its repeat, so that no lost answer turns a success into a 404', () => {
  const folder = path.resolve(__dirname, '../../../protos');
  const names = readdirSync(folder).flatMap((file) => {
    const name = path.basename(file, '.proto');
    return name === 'common' ? [] : [name];
  });
  const repeated = names.flatMap((name) =>
    Object.entries(loadService(name).definition)
      .filter(([, rpc]) => rpc.options?.idempotency_level === 'IDEMPOTENT')
      .map(([method]) => `${name}.${method}`),
  );
  expect(repeated.length).toBeGreaterThan(20);
  const takers = repeated.filter((each) => TAKES_AWAY.test(each.split('.')[1]!));
  expect(takers.sort()).toEqual([...KNOWS_ITS_REPEAT].sort());
});

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

const READS =
  /^(Aggregate|Count|Explain|Export|Find|Get|List|Look|Measure|Preview|Quote|Read|Search)/;

const folder = path.resolve(__dirname, '../../../protos');
const rpcs = readdirSync(folder)
  .map((file) => path.basename(file, '.proto'))
  .filter((name) => name !== 'common')
  .flatMap((name) =>
    Object.entries(loadService(name).definition).map(([method, rpc]) => ({
      name: `${name}.${method}`,
      method,
      level: rpc.options?.idempotency_level,
    })),
  );

test('no call is repeated by itself that would refuse its repeat, so that no lost answer turns a success into a 404', () => {
  const repeated = rpcs.filter(({ level }) => level === 'IDEMPOTENT');
  expect(repeated.length).toBeGreaterThan(20);
  const takers = repeated.filter(({ method }) => TAKES_AWAY.test(method)).map(({ name }) => name);
  expect(takers.sort()).toEqual([...KNOWS_ITS_REPEAT].sort());
});

test('a call that only reads says so in its proto, so that it is asked again where a server goes', () => {
  const silent = rpcs.filter(
    ({ method, level }) => READS.test(method) && level === 'IDEMPOTENCY_UNKNOWN',
  );
  // One that reads is declared with { option idempotency_level = NO_SIDE_EFFECTS; }.
  expect(silent.map(({ name }) => name)).toEqual([]);
});

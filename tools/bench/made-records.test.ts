import { execFileSync } from 'node:child_process';
import path from 'node:path';

const FOLDER = path.resolve(__dirname);

/** What an expression gives in a process of its own, where services are as they were built. */
function built<T>(imports: string, expression: string): T {
  const code = `${imports}\nconst value = ${expression};
const missing = [];
JSON.stringify(value, (key, each) => (each === undefined && missing.push(key), each));
process.stdout.write(JSON.stringify({ value, missing }));
process.exit(0);`;
  const given = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: FOLDER,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const { value, missing } = JSON.parse(given) as { value: T; missing: string[] };
  expect(missing).toEqual([]);
  return value;
}

describe('what a bench writes into the store by itself', () => {
  test('is what services make of a client, its points and its tier today', () => {
    const plan = {
      ...{ seed: 'test', workspaceId: 'w', actorId: 'a' },
      tiers: [
        {
          id: 'silver',
          name: 'Silver',
          kind: 'auto',
          sort_order: 1,
          condition_values: { total_earned: 1 },
        },
      ],
      walletType: { id: 't', code: 'points', expiry_days: 365 },
      tierSet: {
        active: true,
        conditions: [{ type: 'total_earned' }],
        downgrade_config: {},
      },
      ...{ clients: 3, entries: 30, deep: { wallets: 1, entries: 10 } },
      ...{ from: Date.parse('2026-01-01'), to: Date.parse('2026-06-01') },
    };
    const records = built<{ kind: string; document: object }[]>(
      `import { recordsOf } from './million/client-records.mjs';`,
      `[...recordsOf(${JSON.stringify(plan)}, 0, 10)]`,
    );
    expect([...new Set(records.map(({ kind }) => kind))].sort()).toEqual([
      'clients.client_profiles',
      'clients.client_search',
      'clients.clients',
      'ledger.entries',
      'ledger.wallets',
      'tiers.members',
      'tiers.tier_history',
    ]);
    const member = records.find(({ kind }) => kind === 'tiers.members');
    expect(member?.document).toMatchObject({ profile_as_of: expect.any(String) });
  });

  test('is what services make of a member with a card', () => {
    const plan = { workspaceId: 'w', projectId: 'p', templateId: 't', passType: 'pass.test' };
    const { documents } = built<{ documents: Record<string, object> }>(
      `import { memberOf } from './cards/members.mjs';`,
      `memberOf(${JSON.stringify(plan)}, 7)`,
    );
    expect(documents['clients.client_profiles']).toMatchObject({ search_text: expect.anything() });
  });
});

import { errorEntries, platform, Refusal } from '@laurel/errors';
import type { common } from './generated';
import {
  type ReferableKind,
  type ReferenceHolder,
  referenceDirectory,
} from './reference-directory';

const holding = (...references: common.Reference[]): ReferenceHolder => ({
  FindReferences: async () => ({ references }),
});
const away: ReferenceHolder = {
  FindReferences: () => Promise.reject(platform.serviceUnavailable()),
};
const rule = (name: string) => ({ type: 'rule', id: `id of ${name}`, name });
const segment = { type: 'segment', id: 's', name: 'Regulars' };
const gold = { type: 'tier', id: 't', name: 'Gold' };

type Holders = Parameters<typeof referenceDirectory>[0];

const refusalOf = async (
  holders: Holders,
  kind: ReferableKind = 'pass_template',
): Promise<Refusal> => {
  const asked = referenceDirectory(holders).requireUnreferenced('w', kind, ['t']);
  const refusal = await asked.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  return refusal as Refusal;
};

test('a thing that is named anywhere is not deleted, and the refusal lists all that name it', async () => {
  const automations = holding(rule('A'), rule('B'));
  const others = { campaigns: holding(), clients: holding(segment), tiers: holding(gold) };
  const refusal = await refusalOf({ automations, ...others });
  expect(refusal.httpStatus).toBe(409);
  expect(errorEntries(refusal)).toEqual([
    {
      message: 'the pass template is used by rule "A", rule "B", segment "Regulars", 1 more',
      extensions: { code: 'CONFLICT', used_by: [rule('A'), rule('B'), segment, gold] },
    },
  ]);
});

test('the sentence stays one, however many there are', async () => {
  const automations = holding(...['A', 'B', 'C', 'D', 'E'].map(rule));
  const refusal = await refusalOf({ automations }, 'webhook');
  expect(refusal.message).toBe('the webhook is used by rule "A", rule "B", rule "C", 2 more');
  expect(refusal.problems[0]!.extensions!.used_by).toHaveLength(5);
});

test('while one of those who may name a thing is away, the answer is unknown, and nothing is deleted', async () => {
  const holders = { automations: holding(), campaigns: away };
  expect((await refusalOf(holders, 'reward')).httpStatus).toBe(503);
});

test('who cannot name a thing may be away', async () => {
  const directory = referenceDirectory({ automations: away, referrals: holding() });
  await expect(directory.requireUnreferenced('w', 'distribution', ['d'])).resolves.toBeUndefined();
});

test('each is asked for the workspace, the kind and the ids; without ids none is', async () => {
  const asked: common.ReferencesRequest[] = [];
  const automations: ReferenceHolder = {
    FindReferences: async (request) => {
      asked.push(request);
      return { references: [] };
    },
  };
  const directory = referenceDirectory({ automations });
  await directory.requireUnreferenced('w', 'webhook', []);
  await directory.requireUnreferenced('w', 'webhook', ['a', 'b']);
  expect(asked).toEqual([{ workspace_id: 'w', kind: 'webhook', ids: ['a', 'b'] }]);
});

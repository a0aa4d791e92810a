import { errorEntries, platform, Refusal } from '@laurel/errors';
import type { common } from './generated';
import { type ReferenceHolder, referenceDirectory } from './reference-directory';

const holding = (...references: common.Reference[]): ReferenceHolder => ({
  FindReferences: async () => ({ references }),
});
const away: ReferenceHolder = {
  FindReferences: () => Promise.reject(platform.serviceUnavailable()),
};
const rule = (name: string) => ({ type: 'rule', id: `id of ${name}`, name });
const program = { type: 'referral_program', id: 'p', name: 'referral programme' };

const refusalOf = async (holders: ReferenceHolder[]): Promise<Refusal> => {
  const asked = referenceDirectory(holders).requireUnreferenced('w', 'pass_template', ['t']);
  const refusal = await asked.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  return refusal as Refusal;
};

test('a thing that is named anywhere is not deleted, and everybody who names it is told', async () => {
  const refusal = await refusalOf([holding(rule('A'), rule('B')), holding(), holding(program)]);
  expect(refusal.httpStatus).toBe(409);
  expect(errorEntries(refusal)).toEqual([
    {
      message:
        'the pass template is used by rule "A", rule "B", referral program "referral programme"',
      extensions: { code: 'CONFLICT', used_by: [rule('A'), rule('B'), program] },
    },
  ]);
});

test('the sentence stays one, however many there are', async () => {
  const refusal = await refusalOf([holding(...['A', 'B', 'C', 'D', 'E'].map(rule))]);
  expect(refusal.message).toBe('the pass template is used by rule "A", rule "B", rule "C", 2 more');
  expect(refusal.problems[0]!.extensions!.used_by).toHaveLength(5);
});

test('while one of those who may name a thing is away, nobody knows, and nothing is deleted', async () => {
  expect((await refusalOf([holding(), away])).httpStatus).toBe(503);
});

test('each is asked for the workspace, the kind and the ids; without ids nobody is', async () => {
  const asked: common.ReferencesRequest[] = [];
  const listening: ReferenceHolder = {
    FindReferences: async (request) => {
      asked.push(request);
      return { references: [] };
    },
  };
  const directory = referenceDirectory([listening]);
  await directory.requireUnreferenced('w', 'tier', []);
  await directory.requireUnreferenced('w', 'tier', ['a', 'b']);
  expect(asked).toEqual([{ workspace_id: 'w', kind: 'tier', ids: ['a', 'b'] }]);
});

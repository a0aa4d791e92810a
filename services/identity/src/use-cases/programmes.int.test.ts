import type { identity } from '@laurel/rpc';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { getProgramme, putProgramme } from './programmes';
import { removeWorkspaceData } from './remove-workspace-data';

describe('what files manage', () => {
  let it: IdentityUnderTest;
  let workspace_id: string;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    workspace_id = (await it.newWorkspace(await it.newUser())).id;
  });

  const thing = (key: string, digest = 'a'.repeat(16)): identity.ManagedThing => ({
    kind: 'rewards',
    key,
    fields: [{ name: 'name', digest }],
  });
  const put = (name: string, ...managed: identity.ManagedThing[]) =>
    putProgramme(it.deps, { workspace_id, name, managed });
  const get = (name: string) => getProgramme(it.deps, { workspace_id, name });
  const keysOf = ({ managed }: identity.Programme) => managed.map((one) => one.thing!.key);

  test('is what was said last, and nothing before', async () => {
    await expect(get('roasted')).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    await put('roasted', thing('b'), thing('a'));
    expect(keysOf(await get('roasted'))).toEqual(['a', 'b']);
    await put('roasted', thing('b'), thing('c'));
    expect(keysOf(await get('roasted'))).toEqual(['b', 'c']);
    await put('roasted');
    expect(keysOf(await get('roasted'))).toEqual([]);
  });

  test('keeps when and by whom it was applied for as long as it stays as it was', async () => {
    const [first] = (await put('roasted', thing('a'))).managed;
    it.clock.advanceMs(60_000);
    const [second] = (await put('roasted', thing('a'))).managed;
    expect(second).toEqual(first);
    const [third] = (await put('roasted', thing('a', 'b'.repeat(16)))).managed;
    expect(Date.parse(third!.applied_at) - Date.parse(first!.applied_at)).toBe(60_000);
  });

  test('is of one programme alone, also where two want it at once', async () => {
    const outcomes = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name) => outcome(put(name, thing('wanted')))),
    );
    expect(outcomes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done']);
    await put('five');
    await expect(put('five', thing('wanted'))).rejects.toThrow(
      /^rewards\/wanted belongs to the programme (one|two|three|four)$/,
    );
    expect(keysOf(await get('five'))).toEqual([]);
  });

  test('is nobody else’s in another workspace, and goes with its own', async () => {
    await put('roasted', thing('a'));
    const other = (await it.newWorkspace(await it.newUser())).id;
    const elsewhere = { workspace_id: other, name: 'roasted' };
    await expect(getProgramme(it.deps, elsewhere)).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
    });
    await putProgramme(it.deps, { ...elsewhere, managed: [thing('a')] });
    await removeWorkspaceData(it.deps, workspace_id);
    await expect(get('roasted')).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    expect(keysOf(await getProgramme(it.deps, elsewhere))).toEqual(['a']);
  });
});
